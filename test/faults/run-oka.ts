import type { Workspace } from '../cli/oka-process.ts';

/** Whether the whole campaign runs, not only its sample. */
export const EXHAUSTIVE = process.env['OKA_EXHAUSTIVE'] === '1';
/** A command that has not ended by then is reported as hung. */
const LONGEST_MS = 300_000;

/** A command as a person saw it. `exitCode` is missing when it hung or was ended by a signal. */
export interface Step {
  readonly command: string;
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in a process of its own: a process that stays could keep a copy of the database open. */
export async function runOka(workspace: Workspace, ...args: readonly string[]): Promise<Step> {
  const command = `oka ${args.join(' ')}`;
  const started = workspace.start(...args);
  const timer = setTimeout(() => started.kill('SIGKILL'), LONGEST_MS);
  const { exitCode, signal, stdout, stderr } = await started.ended;
  clearTimeout(timer);
  if (exitCode !== null) return { command, exitCode, stdout, stderr };
  return { command, stdout, stderr: `${stderr}\nended by ${signal}, after at most ${LONGEST_MS} ms` };
}

/** The data or the error that a command printed with `--json`. */
export function envelopeOf({ stdout }: Step): { data?: unknown; error?: { code: string; message: string } } {
  try {
    return JSON.parse(stdout) as ReturnType<typeof envelopeOf>;
  } catch {
    return {};
  }
}

/** The output of a command that must succeed. */
export async function outputOf(workspace: Workspace, ...args: readonly string[]): Promise<string> {
  const step = await runOka(workspace, ...args);
  if (step.exitCode === 0) return step.stdout;
  throw new Error(`${step.command} ended with ${step.exitCode}: ${step.stdout}${step.stderr}`);
}
