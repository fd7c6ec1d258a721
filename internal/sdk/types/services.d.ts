/**
 * A method of a provided service. The schemas are names of contracts, not
 * schemas. preparation promises no durable write and no outside effect; without
 * it the method is callable only after activation.
 */
export interface ServiceMethodDescriptor {
    name: string;
    input_schema: string;
    output_schema: string;
    preparation?: boolean;
}
/** A service that initialize offers to other plugins. */
export interface ServiceDescriptor {
    /** Dotted, lower case. */
    name: string;
    /** MAJOR.MINOR.PATCH. */
    version: string;
    methods: readonly ServiceMethodDescriptor[];
}
/** A service that the plugin calls. Undeclared services are refused. */
export interface ServiceRequirement {
    name: string;
    major_version: number;
    /** The plugin is not activated without it. */
    required?: boolean;
}
/** One call that the host routed to this plugin. */
export interface ServiceInvokeParams<Params = unknown> {
    service: string;
    method: string;
    /** The plugin that calls, named by the host. */
    caller: string;
    execution_id?: string;
    params?: Params;
}
/** A consumed service came, went or changed its provider. */
export interface ServiceChangedParams {
    service: string;
    reason?: string;
}
