import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { RUN_SEED } from '../support/run-seed.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { actAsPerson } from './act-as-person.ts';
import { writeTable } from './campaign-table.ts';
import { classify, type Outcome } from './classify.ts';
import { applyDamage, CELLS, cellOf, type DamageCell } from './damages.ts';
import { type PreparedWorkspace, prepareWorkspace } from './prepare-workspace.ts';
import type { Step } from './run-oka.ts';
import { readContent } from './workspace-content.ts';

/** The published table has four rounds of all cells. Other runs have two, each cell with and without a backup, from another seed every day. */
const WRITES_TABLE = process.env['OKA_FAULT_TABLE'] === '1';
const [ROUNDS, FIRST] = WRITES_TABLE ? [4, 1] : [2, 2 * CELLS.length * RUN_SEED + 1];
/** The person has a backup for the seeds that are even. */
const SEEDS = Array.from({ length: ROUNDS * CELLS.length }, (_, i) => FIRST + i);

let preparing: Promise<PreparedWorkspace> | undefined;
const results: { cell: DamageCell; outcome: Outcome }[] = [];

afterAll(async () => {
  if (WRITES_TABLE) writeTable(results);
  if (preparing) rmSync((await preparing).folder, { recursive: true, force: true });
});

it.each(SEEDS.map((seed) => ({ seed, ...cellOf(seed) })))(
  '$kind of $target: harmless, healed, repaired, or the loss is named (seed $seed)',
  async ({ seed }) => {
    preparing ??= prepareWorkspace();
    const prepared = await preparing;
    const workspace = prepared.copyTo(join(tempFolder(), 'workspace'));
    const damage = applyDamage(seed, prepared, workspace);
    const story = await actAsPerson(workspace, { backup: seed % 2 === 0 ? prepared.backup : undefined });
    const end = await readContent(workspace).catch((error: Error) => ({ unreadable: error.message }));
    const { outcome, failures } = classify(story, prepared.truth, end);
    results.push({ cell: cellOf(seed), outcome });
    expect(failures, [damage.detail, ...story.steps.map(showStep)].join('\n')).toEqual([]);
  },
);

function showStep({ command, exitCode, stdout, stderr }: Step): string {
  return `$ ${command} → ${exitCode}\n${clip(stdout)}${clip(stderr)}`;
}

function clip(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…\n` : text;
}
