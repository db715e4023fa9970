import type { ToolContext } from '../engine/index.ts';
import type { OkaError } from '../kernel/index.ts';

/** A program to run, as a list of words; no shell ever reads them. */
export interface ProcessRequest {
  readonly argv: readonly string[];
  /** A folder of the workspace, relative to it; the workspace itself if left out. */
  readonly cwd?: string;
  readonly timeoutMs: number;
  readonly stdin?: string;
  /** What the program gets beside the clean environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the sandbox lets it reach the network. */
  readonly network?: boolean;
  /** How much of each of stdout and stderr is kept. */
  readonly maxOutputBytes?: number;
}

/** How a program ended; a number other than zero is an answer too. */
export interface ProcessResult {
  readonly exitCode: number | null;
  /** The signal that ended it, if one did. */
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True when the middle of stdout or stderr was left out. */
  readonly truncated: boolean;
  readonly sandbox: SandboxKind;
  /** What a person should know about how it ran. */
  readonly note?: string;
}

type SandboxKind = 'bubblewrap' | 'none';

/**
 * Runs programs in the workspace; handed in as the capability `processes`. Rejects with an OkaError when the program is
 * not there, is refused or is too slow, and with the signal's reason when it is aborted. Nothing that the program
 * started goes on after the answer.
 */
export interface Processes {
  /** What shuts programs in, and why nothing does. */
  readonly sandbox: { readonly kind: SandboxKind; readonly why?: string };
  run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult>;
}

/** Provides what a program missed; handed in as the capability `dependencies`, where there is one. */
export interface Dependencies {
  /** `installed` when the run may succeed now, `unknown` when nothing was missing that could be told. */
  provide(
    result: ProcessResult | OkaError,
    request: ProcessRequest,
    context: ToolContext,
  ): Promise<'installed' | 'unknown' | 'needs_person'>;
}
