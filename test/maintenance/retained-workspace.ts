import { writeFileSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Oka } from '../../src/runtime/index.ts';
import { PROJECTIONS } from '../../src/runtime/services/extensions.ts';
import { MaintainedWorkspace } from './maintained-workspace.ts';

export const DAY_MS = 86_400_000;

/** A workspace whose configuration says how long things are kept. */
export class RetainedWorkspace extends MaintainedWorkspace {
  /** Writes the project's own configuration. */
  retain(retention: object): void {
    writeFileSync(this.path('config.json'), JSON.stringify({ retention }));
  }

  /** Every row of every folded table. */
  tables(): Readonly<Record<string, readonly unknown[]>> {
    const database = new DatabaseSync(this.path('oka.db'), { readOnly: true });
    try {
      const specs = PROJECTIONS.flatMap(({ tables }) => tables);
      const rows = ({ name, key }: (typeof specs)[number]) =>
        database.prepare(`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`).all();
      return Object.fromEntries(specs.map((spec) => [spec.name, rows(spec)]));
    } finally {
      database.close();
    }
  }
}

/** Pursues a goal; answers with its run. */
export async function pursue(oka: Oka, goal = 'read main.js'): Promise<string> {
  return (await oka.do({ goal, simulate: false, budgets: {}, patienceMs: 0 })).run.id;
}

/** The runs that are there, without those of maintenance. */
export async function runsOf(oka: Oka): Promise<readonly string[]> {
  const runs = await oka.runs.list({ limit: 100 });
  return runs
    .filter(({ kind, parent }) => kind !== 'maintenance' && parent === undefined)
    .map(({ id }) => id)
    .sort();
}
