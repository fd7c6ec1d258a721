# Reads archives as Python does. Each line on stdin is "<kind> <path>"; the
# answer is one line: {"files": {name: hex}} or {"error": text}.
import json, sys, tarfile, zipfile


def tar(path):
    files = {}
    with tarfile.open(path, "r:gz") as archive:
        for member in archive:
            if member.isdir():
                continue
            if not member.isreg() or member.issparse():
                raise ValueError("a special entry")
            files[member.name] = archive.extractfile(member).read().hex()
    return files


def zip(path):
    files = {}
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            name = info.filename
            if not info.flag_bits & 0x800:
                name = name.encode("cp437").decode("utf-8")
            files[name] = archive.read(info).hex()
    return files


for line in sys.stdin:
    kind, path = line.rstrip("\n").split(" ", 1)
    try:
        answer = {"files": {"tgz": tar, "zip": zip}[kind](path)}
        text = json.dumps(answer)
        text.encode("utf-8")
    except Exception as error:
        text = json.dumps({"error": repr(error)})
    print(text, flush=True)
