import { codedError } from "./errors.ts";
import type { RuntimeInitializeResult } from "./plugin.ts";
import { CAPABILITY_PROTOCOL_V3, RUNTIME_LIFECYCLE_V2 } from "./versions.ts";

/**
 * Completes what initialize returned: lifecycle 2, and capability protocol 3
 * for a plugin with services. Capabilities or model adapters under the
 * tools-only protocol 1 are refused here, before the host sees them.
 */
export function negotiated(declared: RuntimeInitializeResult): RuntimeInitializeResult {
  if (typeof declared !== "object" || declared === null) {
    throw codedError("invalid_result", "initialize must return an object");
  }
  const result = { ...declared, lifecycle_version: RUNTIME_LIFECYCLE_V2 };
  if (some(declared.provided_services) || some(declared.required_services)) {
    result.protocol_version = CAPABILITY_PROTOCOL_V3;
  }
  const capabilities = some(declared.capabilities) || some(declared.model_adapters);
  if (capabilities && (result.protocol_version ?? 1) < 2) {
    throw codedError(
      "invalid_capability_protocol",
      "capabilities and model adapters need protocol_version: 3 in the result of initialize; " +
        "the protocol_version in its params names the transport",
    );
  }
  return result;
}

function some(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}
