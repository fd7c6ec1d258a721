/** A JSON Schema, kept open: the host checks it. The schema of a tool's arguments has type "object". */
export type JSONSchemaObject = {
    readonly [keyword: string]: unknown;
};
/**
 * How a tool behaves. Only concurrency_safe lets adjacent calls overlap;
 * read_only alone does not.
 */
export interface ToolActivityMetadata {
    /** The tool calls other tools through execution.invoke-tool. */
    orchestrator?: boolean;
    read_only?: boolean;
    concurrency_safe?: boolean;
    destructive?: boolean;
    /** At most 1024 bytes. */
    risk?: string;
    /** At most 1024 bytes. */
    reason?: string;
}
/** How a call of the tool is shown. At least one member has a value. */
export interface ToolDisplayMetadata {
    kind?: string;
    /** At most 80 bytes. */
    label?: string;
    /** Language tag to label, at most 32; needs label. */
    label_translations?: Readonly<Record<string, string>>;
    text?: string;
    capability?: string;
}
/** One tool that initialize declares. A plugin has at most 64. */
export interface ToolRegistration {
    /** Letters, digits, "_" and "-", at most 64; unique in the plugin. */
    id: string;
    /** What the model reads, at most 16 KiB. */
    description: string;
    /** Describes an object; at most 128 KiB encoded. */
    input_schema: JSONSchemaObject;
    /** Where the tool may be called; everywhere when absent. */
    execution_scopes?: readonly ("root" | "child")[];
    /** Keeps the tool out of programs: only the model itself calls it. */
    direct_only?: boolean;
    activity?: ToolActivityMetadata;
    display?: ToolDisplayMetadata;
    /** How an agent should use the tool, shown where tools are offered to other engines. */
    guidance?: string;
}
/** What a call of a tool is about. */
export interface ToolExecuteParams {
    /** The id that the plugin declared. */
    tool_id: string;
    execution_id: string;
    session_id?: string;
    thread_id?: string;
    turn_id?: string;
    actor_id?: string;
    step_index?: number;
    cwd: string;
    call_id: string;
    /** The public name that the model used. */
    tool: string;
    /** Check it, even though the tool has a schema. */
    arguments: unknown;
}
export type ToolContentType = "text" | "image" | "audio" | "file" | "resource" | "resource_link";
/** Where an imported artifact appears in the conversation. */
export interface ArtifactPresentation {
    placement?: "inline" | "turn_end";
    /** At most 512 bytes. */
    ref?: string;
    /** 64 hexadecimal digits. */
    sha256?: string;
    size_bytes?: number;
}
/**
 * One part of a tool's result. image, audio and file need mime_type and either
 * data or uri; resource_link needs uri.
 */
export interface ToolContentPart {
    type: ToolContentType;
    /** At most 1 MiB. */
    text?: string;
    /** Standard base64, at most 2 MiB decoded. */
    data?: string;
    mime_type?: string;
    uri?: string;
    name?: string;
    resource?: unknown;
    artifact?: ArtifactPresentation;
}
/** What a tool gives back: at most 128 parts and 3 MiB in all. */
export interface ToolResult {
    content: readonly ToolContentPart[];
    structured_content?: unknown;
    meta?: unknown;
    /** The call failed; content says why. */
    is_error?: boolean;
    activity?: ToolResultActivity;
}
/** The activity that a result belongs to. */
export interface ToolResultActivity {
    id: string;
    kind: string;
    state?: string;
    thread_id?: string;
    preview_uri?: string;
}
/** The answer of executeTool. */
export interface ToolExecuteResult {
    result: ToolResult;
}
