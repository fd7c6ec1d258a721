// Reads tarballs as npm does, with the node-tar that npm brings along; its
// folder is the first argument. Each line on stdin is "<kind> <path>"; the
// answer is one line: {"files": {name: hex}} or {"error": text}.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const tar = createRequire(import.meta.url)(process.argv[2]);

async function read(path) {
  const files = {};
  await tar.t({
    file: path,
    onReadEntry(entry) {
      if (entry.type === "Directory") return;
      if (!["File", "OldFile", "ContiguousFile"].includes(entry.type)) throw new Error(`a special entry: ${entry.type}`);
      const chunks = [];
      entry.on("data", (chunk) => chunks.push(chunk));
      entry.on("end", () => (files[entry.path] = Buffer.concat(chunks).toString("hex")));
    },
  });
  return files;
}

for await (const line of createInterface({ input: process.stdin })) {
  const path = line.slice(line.indexOf(" ") + 1);
  let answer;
  try {
    answer = { files: await read(path) };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
