import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../../kernel/index.ts';

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface CommandLimits {
  readonly clock: Clock;
  readonly timeLimitMs: number;
  readonly signal: AbortSignal;
}

export interface CommandEnd {
  /** Null if it was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

const MAX_OUTPUT = 1_048_576;

/** Runs a program in its own environment and process group, which is killed at the time limit. */
export async function runCommand(command: Command, limits: CommandLimits): Promise<CommandEnd> {
  const { spawn } = await import('node:child_process');
  const { clock, timeLimitMs, signal } = limits;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const [program, ...args] = command.argv;
    const child = spawn(program, args, {
      cwd: command.cwd,
      env: command.environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    let timedOut = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-MAX_OUTPUT);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_OUTPUT);
    });
    const onAbort = (): void => endGroup(child);
    const cancelTimer = clock.callAt(clock.now() + timeLimitMs, () => {
      timedOut = true;
      endGroup(child);
    });
    signal.addEventListener('abort', onAbort);
    const cleanUp = (): void => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
    };
    child.on('error', (error) => {
      cleanUp();
      reject(error);
    });
    child.on('close', (exitCode) => {
      cleanUp();
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ exitCode, stdout, stderr, timedOut });
    });
    if (signal.aborted) onAbort();
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
  // Output of processes outside the group is no longer read.
  child.stdout?.destroy();
  child.stderr?.destroy();
}
