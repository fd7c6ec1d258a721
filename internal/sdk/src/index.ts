// @wuu/plugin-sdk: what a plugin's runtime is written with.
export * from "./versions.ts";
export * from "./plugin.ts";
export * from "./runtime-host.ts";
export * from "./tools.ts";
export * from "./capabilities.ts";
export * from "./model-views.ts";
export * from "./services.ts";
export {
  HOST_SERVICE_METHODS,
  KERNEL_SERVICE_METHOD,
  KERNEL_SERVICE_NAMES,
  type HostServiceMethod,
  type KernelHostServiceMethod,
  type ServiceCallParams,
} from "./gateway.ts";
export * from "./host-services.ts";
export * from "./execution-services.ts";
export * from "./storage-services.ts";
export * from "./session-services.ts";
export * from "./security.ts";
export * from "./frames.ts";
export { handleRuntimeRequest, type RuntimeRequestContext } from "./dispatch.ts";
export { runJSONLRuntime, type JSONLInput, type JSONLOutput } from "./run.ts";
