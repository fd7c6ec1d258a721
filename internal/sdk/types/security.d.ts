export declare const SECURITY_AUTHORIZE_SERVICE = "security.authorize";
export declare const SECURITY_AUTHORIZE_METHOD = "authorize";
export declare const PROCESS_SANDBOX_SERVICE = "sandbox.process";
export declare const PROCESS_SANDBOX_METHOD = "confine";
export interface AuthorizationTool {
    name: string;
    kind: string;
    arguments?: unknown;
    read_only: boolean;
    concurrency_safe: boolean;
    destructive: boolean;
    risk?: string;
    reason?: string;
}
export interface AuthorizationRequest {
    session_id?: string;
    actor_id?: string;
    cwd: string;
    permission_mode: string;
    tool: AuthorizationTool;
}
/** It can narrow what the host allows, never widen it. */
export interface AuthorizationDecision {
    outcome: "allow" | "deny";
    reason?: string;
}
export interface ProcessSandboxPolicy {
    mode: "read-only" | "workspace-write";
    writable_roots?: string[];
}
export interface ProcessSandboxRequest {
    argv: string[];
    policy: ProcessSandboxPolicy;
}
export interface ProcessSandboxResult {
    argv: readonly string[];
    enforcement: "full" | "partial";
    denial_signatures?: readonly string[];
    runner_failure_signatures?: readonly string[];
}
