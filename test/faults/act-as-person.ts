import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../cli/oka-process.ts';
import { envelopeOf, runOka, type Step } from './run-oka.ts';

const INTEGRITY = 7;
/** A person who has to repair more often than this gives up. */
const MOST_REPAIRS = 5;
export const NEW_FACT = 'This was written after the damage.';

/** All that a person did and saw. */
export interface Story {
  readonly steps: readonly Step[];
  /** Files that `ledger verify` changed, which must only read. */
  readonly changedByVerify: readonly string[];
}

/**
 * Does what a person does who knows nothing of the damage: verifies, writes, verifies, and wherever a command ends with 7,
 * runs the command that it names. `backup` is a backup file the person has.
 */
export async function actAsPerson(
  workspace: Workspace,
  options: { readonly backup?: string | undefined } = {},
): Promise<Story> {
  const steps: Step[] = [];
  const take = async (...args: readonly string[]): Promise<Step> => {
    const step = await runOka(workspace, ...args);
    steps.push(step);
    return step;
  };
  const verify = () => take('ledger', 'verify', '--full', '--json');
  const write = () => take('memory', 'fact', 'add', NEW_FACT);

  const before = digests(workspace);
  let last = await verify();
  const changedByVerify = differences(before, digests(workspace));
  let written = await write();
  if (written.exitCode === 0) last = await verify();
  for (let repairs = 0; repairs < MOST_REPAIRS && sawDamage([last, written]); repairs++) {
    const named = namedRepair(written.exitCode === INTEGRITY ? written : last, options.backup);
    if (named === undefined) break;
    const repaired = await take(...named, '--json');
    if (repaired.exitCode !== 0) {
      last = repaired;
      continue;
    }
    if (written.exitCode !== 0) written = await write();
    last = await verify();
  }
  return { steps, changedByVerify };
}

function sawDamage(steps: readonly Step[]): boolean {
  return steps.some(({ exitCode }) => exitCode === INTEGRITY);
}

/** The repair command in the message of a command that ended with 7, with the choice a person makes where it offers one. */
function namedRepair(step: Step, backup: string | undefined): readonly string[] | undefined {
  const commands = [
    ...`${step.stdout}\n${step.stderr}`.matchAll(/oka (ledger re(?:pair|build)[^"'`.;,:)\n\\]*)/g),
  ].map((match) => (match[1] as string).trim().split(/ +/));
  const withOption = (option: string) => commands.find((command) => command.includes(option));
  const fromBackup = withOption('--backup');
  if (fromBackup && backup !== undefined)
    return fromBackup.map((word, i) => (fromBackup[i - 1] === '--backup' ? backup : word));
  return commands.find((command) => !command.includes('--backup'));
}

/** Digests of all files that hold content; SQLite shares the `-shm` file between processes that only read, too. */
function digests(workspace: Workspace): Map<string, string> {
  const files = readdirSync(workspace.at('.oka'), { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file),
  );
}

/** The code of the error that a step ended with. */
export function errorCodeOf(step: Step): string | undefined {
  return envelopeOf(step).error?.code ?? /\(([a-z]+\.[a-z_]+)\)\s*$/.exec(step.stderr)?.[1];
}
