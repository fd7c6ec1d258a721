/** A model request as a transform sees it, whatever the provider. */
export interface ModelRequestViewV1 {
    version: 1;
    model: string;
    messages: ModelMessageViewV1[];
    tools: ModelToolViewV1[];
    temperature?: number;
    max_tokens?: number;
    effort?: string;
    native_deferred_tool_discovery?: boolean;
    force_tool_name?: string;
}
export interface ModelMessageViewV1 {
    role: string;
    name?: string;
    content?: string;
    hidden?: boolean;
    origin?: string;
    origin_id?: string;
    cause?: string;
    read_only?: boolean;
    has_images?: boolean;
    has_files?: boolean;
    tool_call_id?: string;
    tool_calls?: ModelToolCallViewV1[];
    has_tool_result?: boolean;
    discovered_tools?: unknown[];
}
export interface ModelToolCallViewV1 {
    id: string;
    name: string;
    arguments: string;
    kind: string;
}
export interface ModelToolViewV1 {
    name: string;
    description?: string;
    input_schema: unknown;
    defer_loading?: boolean;
}
export interface RequestTransformInput {
    session_id?: string;
    thread_id?: string;
    cwd?: string;
    provider?: string;
    step_index: number;
    request: ModelRequestViewV1;
}
/** At most 16 messages, none blank, 65,536 bytes in all. */
export interface RequestTransformOutput {
    prepend_system_messages?: readonly string[];
}
export interface AgentPreStepInput {
    session_id?: string;
    thread_id?: string;
    cwd?: string;
    provider?: string;
    model?: string;
    step_index: number;
    messages: unknown[];
}
/** A message to append: id is 1 to 96 of [a-z0-9._-], content at most 64 KiB. */
export interface AgentPreStepMessage {
    id: string;
    content: string;
}
/** At most 16 messages with different ids, 256 KiB in all. */
export interface AgentPreStepOutput {
    append_messages?: readonly AgentPreStepMessage[];
}
