import type { Workspace } from '../cli/oka-process.ts';
import { ResidentOka } from '../cli/resident-oka.ts';

/** A command as a person saw it. `exitCode` is missing when it hung or was ended by a signal. */
export interface Step {
  readonly command: string;
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
}

const resident = new ResidentOka({ freesFiles: true });

/** Runs a command; one that ends its process has no exit code. */
export async function runOka(workspace: Workspace, ...args: readonly string[]): Promise<Step> {
  const command = `oka ${args.join(' ')}`;
  const { root: cwd, environment: env } = workspace;
  try {
    const { exitCode, stdout, stderr } = await resident.run({ args, cwd, env, input: '' });
    return { command, exitCode: exitCode as number, stdout, stderr };
  } catch (error) {
    return { command, stdout: '', stderr: (error as Error).message };
  }
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
