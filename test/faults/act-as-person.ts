import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RepairAnswer } from '../../src/api/index.ts';
import type { Workspace } from '../cli/oka-process.ts';
import { envelopeOf, runOka, type Step } from './run-oka.ts';

const INTEGRITY = 7;
/** A person who has to repair more often than this gives up. */
const MOST_REPAIRS = 5;
/** `verify` may record its position, and SQLite shares `-shm` between readers. */
const CONTENT = /^(oka\.db(-wal)?|run_ledger\.jsonl|vault|objects\/.+)$/;
export const NEW_FACT = 'This was written after the damage.';

/** All that a person did and saw. */
export interface Story {
  readonly steps: readonly Step[];
  /** Files that `ledger verify` changed, which must only read. */
  readonly changedByVerify: readonly string[];
}

/**
 * Acts like a person who does not know about the damage: verifies, writes, verifies, and when a command exits with 7,
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
    const named = nextCommand(last.exitCode === INTEGRITY ? last : written, options.backup);
    if (named === undefined) break;
    const repaired = await take(...named, '--json');
    if (repaired.exitCode !== 0) {
      last = repaired;
      continue;
    }
    // A restored backup does not have what was written after it was made.
    if (written.exitCode !== 0 || named[0] === 'backup') written = await write();
    last = await verify();
  }
  return { steps, changedByVerify };
}

function sawDamage(steps: readonly Step[]): boolean {
  return steps.some(({ exitCode }) => exitCode === INTEGRITY);
}

/** The next command of a person, from the message of a command that exited with 7. */
function nextCommand(step: Step, backup: string | undefined): readonly string[] | undefined {
  const { diverged, next } = (envelopeOf(step).data ?? {}) as Partial<RepairAnswer>;
  const named = next ?? [/oka ledger repair/.exec(step.stdout + step.stderr)?.[0] ?? ''];
  const commands = named.map((text) => text.split(' ').slice(1)).filter(([first]) => first !== undefined);
  if (diverged) {
    // A person keeps the copy that has more.
    const [larger] = [...diverged.branches].sort((one, other) => other.events - one.events);
    return commands.find((command) => command.includes(larger?.source as string));
  }
  const fromBackup = commands.find((command) => command.includes('FILE'));
  if (fromBackup && backup !== undefined) return fromBackup.map((word) => (word === 'FILE' ? backup : word));
  return commands.find((command) => !command.includes('FILE'));
}

/** Digests of the files that hold content. An empty log does not count: SQLite creates one for every reader. */
function digests(workspace: Workspace): Map<string, string> {
  const oka = workspace.at('.oka');
  const files = readdirSync(oka, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(oka, join(entry.parentPath, entry.name)))
    .filter((path) => CONTENT.test(path) && statSync(join(oka, path)).size > 0);
  return new Map(
    files.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(oka, path)))
        .digest('hex'),
    ]),
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
