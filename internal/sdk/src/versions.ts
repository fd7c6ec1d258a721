/** The transport that the host names in the params of initialize. It is not a capability protocol. */
export const RUNTIME_PROTOCOL_V1 = 1;

/** Capability protocol with capabilities and model adapters. */
export const CAPABILITY_PROTOCOL_V2 = 2;

/** Capability protocol with capabilities, model adapters and services. */
export const CAPABILITY_PROTOCOL_V3 = 3;

/** The lifecycle that runJSONLRuntime speaks: initialize, prepare, activate, shutdown. */
export const RUNTIME_LIFECYCLE_V2 = 2;

/** Bytes of the longest line in either direction, newline included. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
