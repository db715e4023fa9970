import type { Hosts } from './hosts.mjs';
import type { NetworkKind } from './network.mjs';

export interface RunningTopology {
  readonly hosts: Hosts;
  readonly workspace: string;
  /** The user's folder. */
  readonly home: string;
  /** What `oka` needs in its environment to use this ledger and these servers. */
  readonly environment: Readonly<Record<string, string>>;
  /** The URL of the ledger, without a password. */
  readonly ledger: string;
  readonly nodes: readonly {
    readonly name: string;
    readonly address: string;
    readonly ports: { readonly ingress: number; readonly admin: number; readonly node: number };
  }[];
  /** The address of the web app; undefined without a daemon. */
  readonly web: string | undefined;
  stop(): Promise<void>;
}

export function startTopology(options: {
  /** An empty folder. */
  readonly folder: string;
  readonly network?: 'auto' | NetworkKind;
  /** How many nodes. */
  readonly restate?: number;
  readonly workers?: number;
  readonly daemon?: boolean;
  /** The program to start; default: this checkout's. */
  readonly oka?: string;
}): Promise<RunningTopology>;
