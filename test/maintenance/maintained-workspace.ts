import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { MaintenanceAnswer } from '../../src/api/index.ts';
import { Oka, type OkaOptions } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Words that people say about their work, and what is to be kept of them. */
const WORDS = 'Look below too. Remember that the release is on Friday. My editor is vim.';
export const LEARNED = ['My editor is vim', 'the release is on Friday'];

/** A trusted workspace with a little to look after. */
export class MaintainedWorkspace {
  readonly workspace: string;
  readonly home: string;

  constructor() {
    const root = tempFolder();
    this.workspace = join(root, 'work');
    this.home = join(root, 'home');
    mkdirSync(this.workspace);
    mkdirSync(this.home);
    writeFileSync(join(this.workspace, 'main.js'), 'start(); // TODO stop\n');
  }

  open(options: Partial<OkaOptions> = {}): Oka {
    const oka = new Oka({ workspace: this.workspace, home: this.home, ...options });
    onTestFinished(() => oka.close());
    return oka;
  }

  /** Pursues a goal that somebody then says something lasting about. */
  async populate(oka: Oka): Promise<string> {
    await oka.init({ trust: true });
    const goal = 'search for "TODO" in main.js';
    const { run } = await oka.do({ goal, simulate: false, budgets: {}, patienceMs: 0 });
    await oka.runs.correct(run.id, WORDS, 'me');
    return run.id;
  }

  /** Every derived file, by its path below `.oka`. */
  files(): Readonly<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const folder of ['brain', 'memory']) {
      const place = join(this.workspace, '.oka', folder);
      if (!existsSync(place)) continue;
      for (const name of readdirSync(place).sort())
        found[`${folder}/${name}`] = readFileSync(join(place, name), 'utf8');
    }
    return found;
  }

  path(file: string): string {
    return join(this.workspace, '.oka', file);
  }
}

export function maintain(oka: Oka): Promise<MaintenanceAnswer> {
  return oka.maintenance.maintain({ dryRun: false });
}

/** The texts of all facts that hold, in order. */
export async function factsOf(oka: Oka): Promise<readonly string[]> {
  const facts = await oka.memory.listFacts({ limit: 100 });
  return facts.map(({ text }) => text).sort();
}

/** How many events the ledger has. */
export async function eventsOf(oka: Oka): Promise<number> {
  return (await oka.ledger.stats()).events;
}
