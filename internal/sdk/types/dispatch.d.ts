import type { RuntimeRequest, RuntimeResponse } from "./frames.js";
import type { RuntimeExecutionContext, RuntimeLifecycle, RuntimePlugin } from "./plugin.js";
import type { RuntimeHost } from "./runtime-host.js";
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
export declare function handleRuntimeRequest(plugin: RuntimePlugin, request: RuntimeRequest, host?: RuntimeHost, context?: RuntimeRequestContext): Promise<RuntimeResponse>;
/** The result of a request; it throws what the plugin throws. */
export declare function answer(plugin: RuntimePlugin, request: RuntimeRequest, host: RuntimeHost, context: RuntimeRequestContext): Promise<unknown>;
