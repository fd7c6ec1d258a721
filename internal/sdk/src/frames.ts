import type { CapabilityInvokeParams, CapabilityInvokeResult } from "./capabilities.ts";
import type { RuntimeInitializeParams, RuntimeInitializeResult } from "./plugin.ts";
import type { ServiceChangedParams, ServiceInvokeParams } from "./services.ts";
import type { ToolExecuteParams, ToolExecuteResult } from "./tools.ts";

export interface RuntimeInitializeRequest {
  id: string;
  method: "initialize";
  params: RuntimeInitializeParams;
}

export interface RuntimePrepareRequest {
  id: string;
  method: "prepare";
  params?: undefined;
}

export interface RuntimeActivateRequest {
  id: string;
  method: "activate";
  params?: undefined;
}

export interface RuntimeToolRequest {
  id: string;
  method: "tool.execute";
  params: ToolExecuteParams;
}

export interface RuntimeCapabilityRequest {
  id: string;
  method: "capability.invoke";
  params: CapabilityInvokeParams;
}

export interface RuntimeServiceInvokeRequest {
  id: string;
  method: "service.invoke";
  params: ServiceInvokeParams;
}

export interface RuntimeServiceChangedRequest {
  id: string;
  method: "service.changed";
  params: ServiceChangedParams;
}

/** Never answered. */
export interface RuntimeExecutionCancelRequest {
  id: string;
  method: "execution.cancel";
  params: { execution_id: string; reason?: string };
}

export interface RuntimeShutdownRequest {
  id: string;
  method: "shutdown";
  params?: undefined;
}

/** A frame from the host that asks for something. */
export type RuntimeRequest =
  | RuntimeInitializeRequest
  | RuntimePrepareRequest
  | RuntimeActivateRequest
  | RuntimeToolRequest
  | RuntimeCapabilityRequest
  | RuntimeServiceInvokeRequest
  | RuntimeServiceChangedRequest
  | RuntimeExecutionCancelRequest
  | RuntimeShutdownRequest;

/** The error member of a response. */
export interface RuntimeError {
  code?: string;
  message: string;
}

/** The frame that answers a request. */
export type RuntimeResponse =
  | { id: string; result: RuntimeInitializeResult | ToolExecuteResult | CapabilityInvokeResult | unknown }
  | { id: string; error: RuntimeError };
