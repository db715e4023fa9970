/** How much of a server's time and talk is taken. */
export interface McpLimits {
  readonly connectMs: number;
  readonly callMs: number;
  /** How long a server may think about the newest protocol's first question before it is taken for an older one. */
  readonly probeMs: number;
  readonly largestMessageBytes: number;
  readonly mostPages: number;
  readonly mostTools: number;
  readonly largestListBytes: number;
}

export const DEFAULT_LIMITS: McpLimits = {
  connectMs: 60_000,
  callMs: 600_000,
  probeMs: 15_000,
  largestMessageBytes: 16 * 1024 * 1024,
  mostPages: 50,
  mostTools: 1_000,
  largestListBytes: 2 * 1024 * 1024,
};
