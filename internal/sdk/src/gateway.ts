/** The method of every kernel service that has only one. */
export const KERNEL_SERVICE_METHOD = "call";

/** Shorthands of host.call, to the service that each one means. */
export const KERNEL_SERVICE_NAMES = {
  "host.storage.get": "host.storage.get",
  "host.storage.set": "host.storage.set",
  "host.storage.delete": "host.storage.delete",
  "host.storage.keys": "host.storage.keys",
  "host.storage.compare_exchange": "host.storage.compare-exchange",
  "host.storage.compare-exchange": "host.storage.compare-exchange",
  "host.settings.get": "host.settings.get",
  "host.settings.list": "host.settings.list",
  "host.credentials.request": "host.credentials.request",
  "host.session.create": "host.session.create",
  "host.session.send": "host.session.send",
  "host.session.list": "host.session.list",
  "host.session.cancel": "host.session.cancel",
  "host.session.inspect": "host.session.inspect",
  "host.session.control": "host.session.control",
  "host.session.history.read": "host.session.history.read",
  "host.session.history.search": "host.session.history.search",
  "host.workspace.status": "host.workspace.status",
  "host.workspace.apply": "host.workspace.apply",
  "host.workspace.discard": "host.workspace.discard",
  "host.artifact.import": "host.artifact.import",
  "host.user-question.ask": "host.user-question.ask",
  "execution.update": "execution.update",
  "execution.invoke-tool": "execution.invoke-tool",
} as const;

/** A shorthand of host.call. */
export type KernelHostServiceMethod = keyof typeof KERNEL_SERVICE_NAMES;

/** What host.call accepts: the gateway itself and its shorthands. */
export type HostServiceMethod = "host.service.call" | KernelHostServiceMethod;

/** Every HostServiceMethod. */
export const HOST_SERVICE_METHODS: readonly HostServiceMethod[] = [
  "host.service.call",
  ...(Object.keys(KERNEL_SERVICE_NAMES) as KernelHostServiceMethod[]),
];

/** The params of the gateway, the one request that a plugin sends. */
export interface ServiceCallParams {
  service: string;
  method: string;
  execution_id?: string;
  params?: object;
}

/** Params of the gateway for method; a name without a shorthand is the service's own. */
export function gatewayParams(method: string, params: object): ServiceCallParams {
  if (method === "host.service.call") {
    return params as ServiceCallParams;
  }
  const names: Readonly<Record<string, string>> = KERNEL_SERVICE_NAMES;
  return { service: names[method] ?? method, method: KERNEL_SERVICE_METHOD, params };
}
