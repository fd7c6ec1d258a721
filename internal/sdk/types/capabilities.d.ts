export declare const REQUEST_TRANSFORM_CAPABILITY = "agent.request.transform";
export declare const AGENT_PRE_STEP_CAPABILITY = "agent.pre_step";
export declare const SYSTEM_PROMPT_SECTION_CAPABILITY = "agent.system_prompt.section";
export declare const COMPACTION_CAPABILITY = "agent.compaction";
export declare const PLUGIN_CLIENT_REQUEST_CAPABILITY = "plugin.client.request";
export type CapabilityKind = "observe" | "transform" | "decision";
/** An observer may not propagate, and only an observer may ignore. */
export type CapabilityErrorPolicy = "propagate" | "isolate" | "ignore";
/** One capability that initialize declares. It needs protocol_version 2 or 3. */
export interface CapabilityDescriptor {
    id: string;
    kind: CapabilityKind;
    error_policy?: CapabilityErrorPolicy;
    /** 1 or more. */
    version: number;
    /** Higher runs first; ties go by plugin id. */
    priority?: number;
    depends_on?: readonly string[];
    conflicts?: readonly string[];
}
/** One call of a capability: output is what the plugins before made of it. */
export interface CapabilityInvokeParams<Input = unknown, Output = unknown> {
    capability: string;
    execution_id?: string;
    input: Input;
    output: Output;
}
/** The answer of invokeCapability. */
export interface CapabilityInvokeResult<Output = unknown> {
    output: Output;
}
/** One model adapter that initialize declares. */
export interface ModelAdapterRegistration {
    /** Dotted, unique in the host, at most 160 characters. */
    id: string;
    version: number;
    /** Who counts the usage: the adapter's call itself ("direct", the default) or the calls that it forwards. */
    mode?: "direct" | "delegate";
}
export interface SystemPromptSectionInput {
    cwd: string;
    provider: string;
    model: string;
}
export interface SystemPromptSectionOutput {
    text: string;
}
/** What a desktop module of the same plugin asks. */
export interface PluginClientRequestInput {
    method: string;
    input?: unknown;
}
export interface PluginClientRequestOutput {
    result?: unknown;
}
