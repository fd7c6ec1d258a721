/** The method of every kernel service that has only one. */
export declare const KERNEL_SERVICE_METHOD = "call";
/** Shorthands of host.call, to the service that each one means. */
export declare const KERNEL_SERVICE_NAMES: {
    readonly "host.storage.get": "host.storage.get";
    readonly "host.storage.set": "host.storage.set";
    readonly "host.storage.delete": "host.storage.delete";
    readonly "host.storage.keys": "host.storage.keys";
    readonly "host.storage.compare_exchange": "host.storage.compare-exchange";
    readonly "host.storage.compare-exchange": "host.storage.compare-exchange";
    readonly "host.settings.get": "host.settings.get";
    readonly "host.settings.list": "host.settings.list";
    readonly "host.credentials.request": "host.credentials.request";
    readonly "host.session.create": "host.session.create";
    readonly "host.session.send": "host.session.send";
    readonly "host.session.list": "host.session.list";
    readonly "host.session.cancel": "host.session.cancel";
    readonly "host.session.inspect": "host.session.inspect";
    readonly "host.session.control": "host.session.control";
    readonly "host.session.history.read": "host.session.history.read";
    readonly "host.session.history.search": "host.session.history.search";
    readonly "host.workspace.status": "host.workspace.status";
    readonly "host.workspace.apply": "host.workspace.apply";
    readonly "host.workspace.discard": "host.workspace.discard";
    readonly "host.artifact.import": "host.artifact.import";
    readonly "host.user-question.ask": "host.user-question.ask";
    readonly "execution.update": "execution.update";
    readonly "execution.invoke-tool": "execution.invoke-tool";
};
/** A shorthand of host.call. */
export type KernelHostServiceMethod = keyof typeof KERNEL_SERVICE_NAMES;
/** What host.call accepts: the gateway itself and its shorthands. */
export type HostServiceMethod = "host.service.call" | KernelHostServiceMethod;
/** Every HostServiceMethod. */
export declare const HOST_SERVICE_METHODS: readonly HostServiceMethod[];
/** The params of the gateway, the one request that a plugin sends. */
export interface ServiceCallParams {
    service: string;
    method: string;
    execution_id?: string;
    params?: object;
}
/** Params of the gateway for method; a name without a shorthand is the service's own. */
export declare function gatewayParams(method: string, params: object): ServiceCallParams;
