// Owns: a program from its start to its end, with everything that it started.
// I1 Whoever is told the end can rely on it: nothing of the group goes on, unless it was left on purpose.
import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../../kernel/index.ts';
import type { KeptOutput } from './kept-output.ts';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Nothing to read if left out. */
  readonly stdin?: string;
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
  readonly timeoutMs: number;
  /** How long the group has between being asked to end and being ended; 0 ends it at once. */
  readonly graceMs: number;
  /** Ends what is left of the group when the program itself has ended. */
  readonly endsLeftovers: boolean;
}

export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it was stopped, if it was. */
  readonly stopped?: 'timeout' | 'abort';
}

/** How long a program's output is still listened to, when somebody who left the group holds it open. */
const LAST_WORDS_MS = 200;

/** Runs a program in a group of its own; rejects with the system's error when it cannot be started. */
export async function runCommand(command: Command, clock: Clock, signal?: AbortSignal): Promise<CommandEnd> {
  // Most processes never run a program, so they start without what it takes.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const { stdin, cwd, environment: env, graceMs } = command;
    const child = spawn(command.program, command.args, {
      cwd,
      env,
      detached: true,
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    let stopped: CommandEnd['stopped'];
    const forgets: (() => void)[] = [];
    const after = (ms: number, work: () => void): void =>
      void forgets.push(clock.callAt(clock.now() + ms, work));
    const forget = (): void => {
      for (const one of forgets) one();
    };
    const stop = (why: CommandEnd['stopped']): void => {
      if (stopped !== undefined) return;
      stopped = why;
      if (hasEnded(child)) endLeftovers(child);
      else signalGroup(child, graceMs === 0 ? 'SIGKILL' : 'SIGTERM');
      if (graceMs > 0) after(graceMs, () => signalGroup(child, 'SIGKILL'));
    };
    const onAbort = (): void => stop('abort');
    after(command.timeoutMs, () => stop('timeout'));
    signal?.addEventListener('abort', onAbort);
    forgets.push(() => signal?.removeEventListener('abort', onAbort));
    if (signal?.aborted) onAbort();

    child.stdout?.on('data', (chunk: Buffer) => command.stdout.add(chunk));
    child.stderr?.on('data', (chunk: Buffer) => command.stderr.add(chunk));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);
    child.on('error', (error) => {
      forget();
      reject(error);
    });
    child.on('exit', () => {
      if (stopped !== undefined || command.endsLeftovers) endLeftovers(child);
    });
    child.on('close', (exitCode, ended) => {
      forget();
      resolve({ exitCode, signal: ended, ...(stopped === undefined ? {} : { stopped }) });
    });
  });
}

/** Ends the rest of the group. Whoever has left the group goes on, but is no longer listened to. */
function endLeftovers(child: ChildProcess): void {
  signalGroup(child, 'SIGKILL');
  const timer = setTimeout(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, LAST_WORDS_MS);
  timer.unref();
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
