import type { CapabilityInvokeResult } from "./capabilities.ts";
import { unavailableHost } from "./connection.ts";
import { codedError, wireError } from "./errors.ts";
import type { RuntimeRequest, RuntimeResponse } from "./frames.ts";
import { negotiated } from "./negotiate.ts";
import type { RuntimeExecutionContext, RuntimeLifecycle, RuntimePlugin } from "./plugin.ts";
import type { RuntimeHost } from "./runtime-host.ts";
import type { ToolExecuteResult } from "./tools.ts";

/** What a request is handled in. Absent members are made up: signals that never abort. */
export interface RuntimeRequestContext {
  lifecycle?: RuntimeLifecycle;
  execution?: RuntimeExecutionContext;
}

/**
 * Answers one request, without lanes or cancellation; runJSONLRuntime adds
 * those. An error that the plugin throws becomes an error response that keeps
 * its message and its code.
 */
export async function handleRuntimeRequest(
  plugin: RuntimePlugin,
  request: RuntimeRequest,
  host: RuntimeHost = unavailableHost,
  context: RuntimeRequestContext = {},
): Promise<RuntimeResponse> {
  try {
    return { id: request.id, result: (await answer(plugin, request, host, context)) ?? null };
  } catch (thrown) {
    return { id: request.id, error: wireError(thrown) };
  }
}

/** The result of a request; it throws what the plugin throws. */
export async function answer(
  plugin: RuntimePlugin,
  request: RuntimeRequest,
  host: RuntimeHost,
  context: RuntimeRequestContext,
): Promise<unknown> {
  const lifecycle = context.lifecycle ?? { signal: new AbortController().signal };
  switch (request.method) {
    case "initialize":
      return negotiated(await plugin.initialize(request.params, host, lifecycle));
    case "prepare":
      await plugin.prepare?.(host, lifecycle);
      return null;
    case "activate":
      await plugin.activate?.(host, lifecycle);
      return null;
    case "tool.execute":
      return toolResult(await plugin.executeTool?.(request.params, host, execution(request, context)), plugin);
    case "capability.invoke":
      return capabilityResult(
        await plugin.invokeCapability?.(request.params, host, execution(request, context)),
        plugin,
      );
    case "service.invoke":
      if (plugin.invokeService === undefined) {
        throw missing("invokeService");
      }
      return await plugin.invokeService(request.params, host, execution(request, context));
    case "service.changed":
      await plugin.serviceChanged?.(request.params, host);
      return null;
    case "execution.cancel":
      return null; // it needs the connection, and no answer
    case "shutdown":
      await plugin.shutdown?.();
      return null;
    default:
      throw codedError("method_not_found", `unknown method ${(request as { method: string }).method}`);
  }
}

type Executed = Extract<RuntimeRequest, { method: "tool.execute" | "capability.invoke" | "service.invoke" }>;

function execution(request: Executed, context: RuntimeRequestContext): RuntimeExecutionContext {
  return context.execution ?? { executionId: request.params.execution_id ?? "", signal: new AbortController().signal };
}

/** The host ends a process over a result of the wrong shape; here it costs one call. */
function toolResult(result: ToolExecuteResult | undefined, plugin: RuntimePlugin): ToolExecuteResult {
  if (plugin.executeTool === undefined) {
    throw missing("executeTool");
  }
  if (!Array.isArray(result?.result?.content)) {
    throw codedError("invalid_result", "executeTool must return { result: { content: [...] } }");
  }
  return result;
}

function capabilityResult(result: CapabilityInvokeResult | undefined, plugin: RuntimePlugin): CapabilityInvokeResult {
  if (plugin.invokeCapability === undefined) {
    throw missing("invokeCapability");
  }
  if (result?.output === undefined) {
    throw codedError("invalid_result", "invokeCapability must return { output }");
  }
  return result;
}

function missing(callback: string): Error {
  return codedError("method_not_found", `the plugin has no ${callback}`);
}
