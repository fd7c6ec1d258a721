import type {
  ArtifactImportParams,
  ExecutionUpdate,
  ImportedArtifact,
  InvokeToolParams,
  UserQuestion,
  UserQuestionAnswer,
} from "./execution-services.ts";
import { gatewayParams, KERNEL_SERVICE_NAMES, type HostServiceMethod, type KernelHostServiceMethod, type ServiceCallParams } from "./gateway.ts";
import type { ServiceRequirement } from "./services.ts";
import type * as session from "./session-services.ts";
import type * as storage from "./storage-services.ts";
import type { ToolResult } from "./tools.ts";

interface Contract<Params, Result> {
  params: Params;
  result: Result;
}

type Nothing = Record<string, never>;

/** Params and result by method. */
export interface HostServiceContracts {
  "host.service.call": Contract<ServiceCallParams, unknown>;
  "host.storage.get": Contract<storage.StorageKeyParams, storage.StorageGetResult>;
  "host.storage.set": Contract<storage.StorageSetParams, Nothing>;
  "host.storage.delete": Contract<storage.StorageKeyParams, Nothing>;
  "host.storage.keys": Contract<storage.StorageKeysParams, storage.StorageKeysResult>;
  "host.storage.compare_exchange": Contract<storage.StorageCompareExchangeParams, storage.StorageCompareExchangeResult>;
  "host.storage.compare-exchange": Contract<storage.StorageCompareExchangeParams, storage.StorageCompareExchangeResult>;
  "host.settings.get": Contract<storage.SettingsGetParams, storage.SettingsGetResult>;
  "host.settings.list": Contract<storage.SettingsListParams, storage.SettingsListResult>;
  "host.credentials.request": Contract<storage.CredentialsRequestParams, storage.CredentialsRequestResult>;
  "host.session.create": Contract<session.SessionCreateParams, session.SessionCreateResult>;
  "host.session.send": Contract<session.SessionSendParams, session.SessionSendResult>;
  "host.session.list": Contract<session.SessionListParams, session.SessionListResult>;
  "host.session.cancel": Contract<session.SessionCancelParams, session.SessionCancelResult>;
  "host.session.inspect": Contract<session.SessionInspectParams, session.SessionInspectResult>;
  "host.session.control": Contract<session.SessionControlParams, session.SessionControlResult>;
  "host.session.history.read": Contract<session.SessionHistoryReadParams, session.SessionHistoryReadResult>;
  "host.session.history.search": Contract<session.SessionHistorySearchParams, session.SessionHistorySearchResult>;
  "host.workspace.status": Contract<session.WorkspaceParams, session.WorkspaceStatusResult>;
  "host.workspace.apply": Contract<session.WorkspaceParams, session.WorkspaceApplyResult>;
  "host.workspace.discard": Contract<session.WorkspaceParams, session.WorkspaceDiscardResult>;
  "host.artifact.import": Contract<ArtifactImportParams, ImportedArtifact>;
  "host.user-question.ask": Contract<{ questions: readonly UserQuestion[] }, UserQuestionAnswer>;
  "execution.update": Contract<ExecutionUpdate, Nothing>;
  "execution.invoke-tool": Contract<InvokeToolParams, ToolResult>;
}

/** The frame of a service call. */
export interface HostServiceCall {
  id: string;
  method: "host.service.call";
  params: ServiceCallParams;
}

export type HostServiceRequest = HostServiceCall;

/** The error member of the host's answer. */
export interface HostServiceError {
  code: string;
  message: string;
}

/** The host's answer: result or error. */
export type HostServiceResponse<M extends HostServiceMethod = HostServiceMethod> =
  | { id: string; result: HostServiceContracts[M]["result"]; error?: never }
  | { id: string; result?: never; error: HostServiceError };

export type HostServiceResult<M extends HostServiceMethod = HostServiceMethod> = HostServiceResponse<M>;

/** Builds the frame that the shorthand method stands for. */
export function kernelServiceCall<M extends KernelHostServiceMethod>(
  id: string,
  method: M,
  params: HostServiceContracts[M]["params"],
): HostServiceCall {
  return { id, method: "host.service.call", params: gatewayParams(method, params) };
}

/** Builds the entry of required_services for a kernel service; required unless told otherwise. */
export function requireKernelService(
  method: KernelHostServiceMethod,
  { required = true }: { required?: boolean } = {},
): ServiceRequirement {
  return { name: KERNEL_SERVICE_NAMES[method] ?? method, major_version: 1, required };
}
