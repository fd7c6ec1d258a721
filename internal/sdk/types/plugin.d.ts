import type { CapabilityDescriptor, CapabilityInvokeParams, CapabilityInvokeResult, ModelAdapterRegistration } from "./capabilities.js";
import type { RuntimeHost } from "./runtime-host.js";
import type { ServiceChangedParams, ServiceDescriptor, ServiceInvokeParams, ServiceRequirement } from "./services.js";
import type { ToolExecuteParams, ToolExecuteResult, ToolRegistration } from "./tools.js";
/** What the host says first. */
export interface RuntimeInitializeParams {
    /** The transport, 1. Do not copy it into the result. */
    protocol_version: number;
    /** The highest capability protocol that the host speaks. */
    capability_protocol_version?: number;
    lifecycle_version?: number;
    plugin_id: string;
    /** The folder of the plugin's files; do not write there. */
    plugin_root: string;
    project_root: string;
    workspace_id?: string;
    wuu_home: string;
    workspace_state_dir?: string;
    supported_host_services?: string[];
    host_features?: string[];
}
/** A legacy entry of required_host_services; use required_services. */
export interface HostServiceDescriptor {
    id: string;
    required?: boolean;
}
/** What the plugin declares. */
export interface RuntimeInitializeResult {
    tools?: readonly ToolRegistration[];
    /**
     * The capability protocol. Absent means tools only, except that services
     * choose 3. Capabilities and model adapters need 2 or 3.
     */
    protocol_version?: 1 | 2 | 3;
    capabilities?: readonly CapabilityDescriptor[];
    provided_services?: readonly ServiceDescriptor[];
    required_services?: readonly ServiceRequirement[];
    required_host_features?: readonly string[];
    model_adapters?: readonly ModelAdapterRegistration[];
    /** Filled in by the SDK. */
    lifecycle_version?: number;
    /** @deprecated Declare required_services. */
    required_host_services?: readonly HostServiceDescriptor[];
    /** @deprecated The host ignores it. */
    hooks?: readonly unknown[];
}
/** The time from initialize to shutdown. */
export interface RuntimeLifecycle {
    /** Aborts when shutdown is asked for and when the host goes away. Give it to background work. */
    readonly signal: AbortSignal;
}
/** One call. Pass it along; do not keep it as "the current call". */
export interface RuntimeExecutionContext {
    /** The execution that the call belongs to, "" when the host named none. */
    readonly executionId: string;
    /** Aborts when the execution is cancelled and when the host goes away. */
    readonly signal: AbortSignal;
}
/**
 * A plugin's runtime. Calls are handled one after another, except that
 * adjacent tools with activity.concurrency_safe overlap, eight at a time, and
 * that the named services and capabilities have a lane of their own.
 */
export interface RuntimePlugin {
    /** Names of own services whose calls may overlap with everything else. */
    readonly concurrentServices?: readonly string[];
    /** Ids of own capabilities whose calls may overlap with everything else. */
    readonly concurrentCapabilities?: readonly string[];
    /** Declares what the plugin offers and needs. It reads no state. */
    initialize(params: RuntimeInitializeParams, host: RuntimeHost, lifecycle: RuntimeLifecycle): RuntimeInitializeResult | Promise<RuntimeInitializeResult>;
    /** Reads and checks durable state. It writes nothing and starts nothing. */
    prepare?(host: RuntimeHost, lifecycle: RuntimeLifecycle): unknown;
    /** Starts background work, after the change is committed. */
    activate?(host: RuntimeHost, lifecycle: RuntimeLifecycle): unknown;
    /** Runs one declared tool. A failed call returns is_error instead of throwing. */
    executeTool?(params: ToolExecuteParams, host: RuntimeHost, execution: RuntimeExecutionContext): ToolExecuteResult | Promise<ToolExecuteResult>;
    /** Answers one call of a declared capability. */
    invokeCapability?(params: CapabilityInvokeParams, host: RuntimeHost, execution: RuntimeExecutionContext): CapabilityInvokeResult | Promise<CapabilityInvokeResult>;
    /** Answers one call of a provided service. */
    invokeService?(params: ServiceInvokeParams, host: RuntimeHost, execution: RuntimeExecutionContext): unknown;
    /** Learns that a consumed service changed. */
    serviceChanged?(params: ServiceChangedParams, host: RuntimeHost): unknown;
    /** Stops own work and frees resources, also after a start that got only half way. */
    shutdown?(): unknown;
}
