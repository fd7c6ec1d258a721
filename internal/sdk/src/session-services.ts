// The basic session and workspace services. What newer hosts add is listed in
// UNSPECIFIED.md and comes with the chapter on sessions and models.

export interface SessionCreateParams {
  /** The same id means the same session. */
  request_id: string;
  name?: string;
  visibility: "user" | "plugin";
  parent_session_id?: string;
  context_source: "fresh" | "fork" | "seed";
  workspace?: "shared" | "worktree";
  workspace_id?: string;
  workspace_root?: string;
  model_alias?: string;
  provider?: string;
  model?: string;
  variant?: string;
  effort?: string;
  speed?: string;
  permission_mode?: string;
  instructions?: string;
  tool_policy?: ToolPolicy;
  seed?: SessionSeed;
  launch?: SessionLaunch;
}

export interface ToolPolicy {
  allow?: readonly string[];
  deny?: readonly string[];
}

export interface SessionSeed {
  version: 1;
  id?: string;
  body: string;
  source: { session_id: string; through_seq: number };
  references?: readonly unknown[];
  artifacts?: readonly unknown[];
  provenance: { producer: string; source_model?: string; created_at?: string };
}

export interface SessionLaunch {
  revision: number;
  kind: string;
  intent: string;
  prompt: string;
}

export interface SessionCreateResult {
  session_id: string;
  created: boolean;
  workspace_root?: string;
}

export interface SessionContextBlock {
  kind: string;
  title?: string;
  source?: string;
  /** At most 64 KiB; 16 blocks and 256 KiB in all. */
  content: string;
}

export interface SessionSendParams {
  /** At most 256 bytes. */
  request_id: string;
  session_id: string;
  input: { prompt: string; context_blocks?: readonly SessionContextBlock[] };
  presentation?: SessionPresentation;
  cause?: string;
  if_running?: "queue" | "steer";
  reply_to_turn_id?: string;
  control_revision?: number;
  /** Narrows the tools of this turn. Needs the host feature session-turn-tool-policy.v1. */
  tool_policy?: ToolPolicy;
  /** Takes all tools from this turn. */
  disable_tools?: boolean;
}

export interface SessionPresentation {
  kind: "query_bubble" | "session_message" | "background_event";
  text?: string;
  name?: string;
  related_session_id?: string;
}

export interface SessionSendResult {
  state: string;
  session_id: string;
  turn_id?: string;
  queue_id?: string;
  steered?: boolean;
}

export interface SessionListParams {
  parent_session_id?: string;
  scope?: "owned" | "shared";
}

export interface SessionSummary {
  session_id: string;
  name?: string;
  parent_session_id?: string;
  visibility: "user" | "plugin";
  state: string;
  workspace_id?: string;
  created_at?: string;
  updated_at?: string;
  creation_request_id?: string;
}

export interface SessionListResult {
  sessions: SessionSummary[];
}

export interface SessionCancelParams {
  session_id: string;
  turn_id?: string;
  queue_id?: string;
  control_revision?: number;
}

export interface SessionCancelResult {
  session_id: string;
  turn_id?: string;
  queue_id?: string;
  cancelled: boolean;
}

export interface SessionInspectParams {
  session_id: string;
  turn_id?: string;
  request_id?: string;
  wait?: "none" | "terminal";
  timeout_ms?: number;
}

export interface SessionTurn {
  request_id?: string;
  state: string;
  retryable?: boolean;
  turn_id?: string;
  queue_id?: string;
  error?: string;
  started_at?: string;
  completed_at?: string;
  input_tokens?: number;
  output_tokens?: number;
  /** A finished turn may have none. */
  final_output?: string;
}

export interface SessionInspectResult {
  session: SessionSummary;
  turn?: SessionTurn;
  workspace?: { kind: string; dirty?: boolean; changed_files?: string[] };
  timed_out?: boolean;
}

/** Compares revision when it is given. */
export interface SessionControlParams {
  session_id: string;
  state?: "active" | "paused" | "released";
  revision?: number;
}

export interface SessionControlResult {
  session_id: string;
  manager_id?: string;
  state?: string;
  revision: number;
}

/** Needs start_seq of 1 or more, or a cursor. */
export interface SessionHistoryReadParams {
  session_id: string;
  start_seq?: number;
  end_seq?: number;
  snapshot_seq?: number;
  /** At most 50; 20 when absent. */
  limit?: number;
  cursor?: string;
}

export interface SessionHistoryRecord {
  seq: number;
  role: string;
  name?: string;
  content?: string;
  display_content?: string;
  reasoning_content?: string;
  tool_calls?: unknown[];
  tool_call_id?: string;
  tool_result?: unknown;
  finish_reason?: string;
  truncated?: boolean;
  hidden?: boolean;
  read_only?: boolean;
  origin?: string;
  display_id?: string;
}

interface SessionHistoryPage {
  session_id: string;
  head_seq: number;
  snapshot_seq: number;
  has_more?: boolean;
  budget_exhausted?: boolean;
  next_cursor?: string;
}

export interface SessionHistoryReadResult extends SessionHistoryPage {
  records?: SessionHistoryRecord[];
}

export interface SessionHistorySearchParams {
  session_id: string;
  query: string;
  start_seq?: number;
  end_seq?: number;
  snapshot_seq?: number;
  before_seq?: number;
  /** At most 25; 10 when absent. */
  limit?: number;
  cursor?: string;
  view?: "conversation";
}

export interface SessionHistorySearchResult extends SessionHistoryPage {
  matches?: { seq: number; role: string; name?: string; excerpt?: string }[];
}

export interface WorkspaceParams {
  session_id: string;
}

export interface WorkspaceStatusResult {
  session_id: string;
  dirty: boolean;
  changed_files?: string[];
  porcelain?: string;
  diff?: string;
  can_apply: boolean;
  conflict_files?: string[];
  error?: string;
}

export interface WorkspaceApplyResult {
  session_id: string;
  applied: boolean;
  changed_files?: string[];
  discarded: boolean;
}

export interface WorkspaceDiscardResult {
  session_id: string;
  discarded: boolean;
}
