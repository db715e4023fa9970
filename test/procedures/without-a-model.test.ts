import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Oka } from '../../src/index.ts';
import { type Clock, systemClock } from '../../src/kernel/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A clock on which everything that looks at it takes a moment: what does less is quicker, on any machine. */
class CountingClock implements Clock {
  #now = 1_700_000_000_000;

  now(): number {
    this.#now += 1;
    return this.#now;
  }

  callAt(at: number, callback: () => void): () => void {
    return systemClock.callAt(systemClock.now() + at - this.#now, callback);
  }
}

const NOTHING = { proposed: [], promoted: [], demoted: [] };

test('without a model, a candidate is tried, promoted for its results, and demoted by a correction', async () => {
  const root = tempFolder();
  mkdirSync(join(root, 'notes'));
  const oka = new Oka({ workspace: root, home: tempFolder(), clock: new CountingClock() });
  onTestFinished(() => oka.close());
  await oka.init({ trust: true });
  const pursue = async (name: string): Promise<string> => {
    writeFileSync(join(root, `notes/${name}.md`), `${name}\n`);
    const goal = `read notes/${name}.md, then write "seen ${name}" to out/${name}.md`;
    const { run } = await oka.do({ goal, budgets: {}, simulate: false, patienceMs: 0 });
    expect(run.status).toBe('completed');
    expect(readFileSync(join(root, `out/${name}.md`), 'utf8')).toBe(`seen ${name}`);
    return run.id;
  };
  const childrenOf = async (root: string): Promise<number> =>
    (await oka.runs.list({ limit: 100 })).filter(({ parent }) => parent === root).length;
  const score = () => oka.procedures.score('ada');

  for (const name of ['one', 'two', 'three']) expect(await childrenOf(await pursue(name))).toBe(2);
  const [id = ''] = (await score()).proposed;
  for (let copy = 0; copy < 3; copy++) expect(await childrenOf(await pursue('four'))).toBe(0);
  expect(await score()).toMatchObject(NOTHING);
  expect((await oka.procedures.explain(id)).evidence?.with.executions).toBe(1);

  await pursue('five');
  const last = await pursue('six');
  expect(await score()).toMatchObject({ ...NOTHING, promoted: [id] });
  expect((await oka.procedures.explain(id)).evidence).toMatchObject({
    with: { executions: 3 },
    without: { executions: 3 },
  });

  await oka.runs.correct(last, 'not like this', 'ada');
  expect(await score()).toMatchObject({ ...NOTHING, demoted: [id] });
  expect(await childrenOf(await pursue('seven'))).toBe(2);
});
