import type { ServiceRequirement } from "./services.js";
import type { RuntimeHost } from "./runtime-host.js";
import type { ToolResult } from "./tools.js";
export declare const EXECUTION_UPDATE_SERVICE = "execution.update";
export declare const INVOKE_TOOL_SERVICE = "execution.invoke-tool";
export declare const USER_QUESTION_ASK_SERVICE = "host.user-question.ask";
export declare const ARTIFACT_IMPORT_SERVICE = "host.artifact.import";
/** Progress of a running execution. */
export interface ExecutionUpdate {
    /** Filled in when the host belongs to an execution. */
    execution_id?: string;
    message?: string;
    detail?: unknown;
}
/** A call of another tool by an orchestrator. */
export interface InvokeToolParams {
    /** Filled in when the host belongs to an execution. */
    execution_id?: string;
    /** The same id means the same work: keep it when repeating a call. */
    call_id: string;
    /** The public name. */
    name: string;
    arguments: unknown;
}
export interface UserQuestionOption {
    /** At most 256 bytes. */
    label: string;
    /** At most 1024 bytes. */
    description?: string;
}
/** One question; a request has one to eight. */
export interface UserQuestion {
    /** At most 64 bytes. */
    id: string;
    /** At most 4096 bytes. */
    question: string;
    header?: string;
    detail?: string;
    /** At most 20. */
    options?: readonly UserQuestionOption[];
    multi_select?: boolean;
    allow_custom?: boolean;
}
export interface UserQuestionAnswerItem {
    id: string;
    selected: string[];
    custom?: string;
}
export interface UserQuestionAnswer {
    answers: UserQuestionAnswerItem[];
}
/** Exactly one of path (at most 256 MiB) and data (base64, at most 2 MiB). */
export interface ArtifactImportParams {
    /** Relative to the working directory of the execution. */
    path?: string;
    data?: string;
    name?: string;
    mime_type?: string;
}
export interface ImportedArtifact {
    id: string;
    uri: string;
    name: string;
    mime_type: string;
    size: number;
    sha256: string;
}
/** The entry of required_services for importArtifact. */
export declare function requireArtifactImportService(): ServiceRequirement;
/** Reports progress. Needs execution.update. */
export declare function reportExecutionUpdate(host: RuntimeHost, update: ExecutionUpdate): Promise<void>;
/** Calls another tool from a tool with activity.orchestrator. Needs execution.invoke-tool. */
export declare function invokeTool(host: RuntimeHost, params: InvokeToolParams): Promise<ToolResult>;
/** Asks the person in front of the conversation. Needs host.user-question.ask. */
export declare function askUserQuestions(host: RuntimeHost, questions: readonly UserQuestion[]): Promise<UserQuestionAnswer>;
/** Makes a file or bytes an artifact of the session. Needs host.artifact.import. */
export declare function importArtifact(host: RuntimeHost, params: ArtifactImportParams): Promise<ImportedArtifact>;
