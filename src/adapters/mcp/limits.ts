/** Limits on a server's time and data. */
export interface McpLimits {
  readonly connectMs: number;
  readonly callMs: number;
  /** How long a server may take to answer the newest protocol's probe before it counts as an older one. */
  readonly probeMs: number;
  readonly maxMessageBytes: number;
  readonly maxPages: number;
  readonly maxTools: number;
  readonly maxListBytes: number;
}

export const DEFAULT_LIMITS: McpLimits = {
  connectMs: 60_000,
  callMs: 600_000,
  probeMs: 15_000,
  maxMessageBytes: 16 * 1024 * 1024,
  maxPages: 50,
  maxTools: 1_000,
  maxListBytes: 2 * 1024 * 1024,
};
