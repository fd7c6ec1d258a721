/** Whose documents a key belongs to. */
export type StorageScope = "user" | "workspace";

/** A key is [A-Za-z0-9] and then [A-Za-z0-9._-], at most 128 bytes. */
export interface StorageKeyParams {
  scope: StorageScope;
  key: string;
}

/** A value is at most 1 MiB; a document holds 256 keys and 2 MiB. */
export interface StorageSetParams extends StorageKeyParams {
  value: string;
}

export interface StorageGetResult {
  /** null when there is none. */
  value: string | null;
}

export interface StorageKeysParams {
  scope: StorageScope;
}

export interface StorageKeysResult {
  /** Sorted. */
  keys: string[];
}

/** null as expected means "absent"; null as value deletes. */
export interface StorageCompareExchangeParams extends StorageKeyParams {
  expected: string | null;
  value: string | null;
}

/** value is what stands there now, whether or not it was swapped. */
export interface StorageCompareExchangeResult {
  swapped: boolean;
  value: string | null;
}

export interface SettingsGetParams {
  /** The key as the manifest has it, without the plugin id. */
  key: string;
}

export interface SettingsGetResult {
  value: unknown;
}

export interface SettingsListParams {
  scope?: StorageScope;
}

/** Revisions compare only for equality. Secrets read as "". */
export interface SettingsListResult {
  entries: Record<string, unknown>;
  revision?: string;
  scope_revisions?: Partial<Record<StorageScope, string>>;
  /** Keys whose saved value waits for a restart. */
  restart_required?: string[];
}

/** Sends a request to a declared HTTPS origin; the host adds the bearer token. */
export interface CredentialsRequestParams {
  /** The key of an own secret setting. */
  credential: string;
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface CredentialsRequestResult {
  status: number;
  /** Lower-case names: content type, retry-after and request id only. */
  headers: Record<string, string>;
  body: string;
}
