import type { HostNetwork, NetworkKind } from './network.mjs';

export interface ProcessOptions {
  readonly host: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The user id to run as, where the script runs as root. */
  readonly account?: number;
  /** The signal that stops it in good order. */
  readonly endWith?: NodeJS.Signals;
  /** Throws until the process is ready. `said` is what it has logged since this start. */
  readonly ready?: (said: string) => Promise<void>;
}

export class Hosts {
  readonly network: Pick<HostNetwork, 'kind' | 'reason'>;
  constructor(options: {
    readonly folder: string;
    readonly network?: 'auto' | NetworkKind;
  });
  readonly addresses: Readonly<Record<string, string>>;
  addHost(name: string): string;
  start(name: string, options: ProcessOptions): Promise<void>;
  restart(name: string): Promise<void>;
  kill(name: string, signal?: NodeJS.Signals): Promise<void>;
  /** Resolves when a process has ended, with its exit code; null after a signal. */
  ended(name: string): Promise<number | null>;
  cut(host: string): void;
  heal(host: string): void;
  logFile(name: string): string;
  stop(): Promise<void>;
}

export function accepts(url: string, check?: (response: Response) => boolean): Promise<void>;
