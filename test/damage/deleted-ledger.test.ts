import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

class Place {
  readonly workspace = tempFolder();
  readonly home = join(tempFolder(), 'home');

  async with<T>(work: (oka: Oka) => Promise<T>): Promise<T> {
    const oka = new Oka({ workspace: this.workspace, home: this.home });
    try {
      return await work(oka);
    } finally {
      await oka.close();
    }
  }

  static async withFacts(...facts: readonly string[]): Promise<Place> {
    const place = new Place();
    await place.with((oka) => oka.init({ trust: true }));
    await place.add(...facts);
    return place;
  }

  add(...facts: readonly string[]): Promise<void> {
    return this.with(async (oka) => {
      for (const text of facts) await oka.memory.addFact({ text, by: 'test' });
    });
  }

  at(name: string): string {
    return join(this.workspace, '.oka', name);
  }

  delete(...names: readonly string[]): void {
    for (const name of readdirSync(this.at('')))
      if (names.some((start) => name.startsWith(start))) rmSync(this.at(name));
  }

  verify() {
    return this.with((oka) => oka.ledger.verify({ full: false }));
  }

  /** What doctor says about the ledger. */
  async doctor() {
    const { checks } = await this.with((oka) => oka.doctor({ models: false }));
    return checks.find(({ name }) => name === 'ledger');
  }
}

it('verify and doctor find a ledger that was deleted with its mirror', async () => {
  const place = await Place.withFacts('first', 'second');
  place.delete('oka.db', 'run_ledger.jsonl');
  const answer = await place.verify();
  expect(answer).toMatchObject({ ok: false, events: 0, faults: [{ where: 'signed head' }] });
  expect(answer.faults[0]?.what).toContain('the ledger ends at event 0');
  expect(await place.doctor()).toMatchObject({ ok: false });
  // Doctor has created an empty database, which is still not the ledger that was signed.
  expect(await place.verify()).toMatchObject({ ok: false });
  await expect(place.add('third')).rejects.toMatchObject({ code: 'ledger.older_than_signed' });
});

it('a ledger that was set back is found, although the id of its workspace was removed', async () => {
  const place = await Place.withFacts('first');
  for (const name of ['oka.db', 'run_ledger.jsonl']) copyFileSync(place.at(name), place.at(`${name}.old`));
  await place.add('second');
  place.delete('oka.db-', 'workspace.json', 'head.json');
  for (const name of ['oka.db', 'run_ledger.jsonl']) copyFileSync(place.at(`${name}.old`), place.at(name));
  expect(await place.verify()).toMatchObject({ ok: false, faults: [{ where: 'signed head' }] });
  expect(await place.doctor()).toMatchObject({ ok: false });
});

it('a ledger that was set back is found in a folder that was moved', async () => {
  const place = await Place.withFacts('first', 'second');
  place.delete('oka.db', 'run_ledger.jsonl');
  const moved = new Place();
  rmSync(moved.workspace, { recursive: true });
  renameSync(place.workspace, moved.workspace);
  const oka = new Oka({ workspace: moved.workspace, home: place.home });
  expect(await oka.ledger.verify({ full: false })).toMatchObject({ ok: false });
  await oka.close();
});

it('a person who deletes the whole folder begins a new ledger', async () => {
  const place = await Place.withFacts('first');
  rmSync(place.at(''), { recursive: true });
  await place.with((oka) => oka.init({ trust: true }));
  await place.add('another');
  expect(await place.verify()).toMatchObject({ ok: true });
});

it.each([true, false])('a mirror that was deleted is reported as missing, full: %s', async (full) => {
  const place = await Place.withFacts('first');
  await place.verify();
  place.delete('run_ledger.jsonl');
  const answer = await place.with((oka) => oka.ledger.verify({ full }));
  expect(answer).toMatchObject({
    ok: false,
    mirrorEqual: false,
    faults: [{ where: 'mirror', what: expect.stringContaining('run_ledger.jsonl is missing') }],
  });
  expect(await place.with((oka) => oka.ledger.repair({ by: 'test', acceptLoss: false }))).toMatchObject({
    ok: true,
  });
  expect(await place.verify()).toMatchObject({ ok: true, mirrorEqual: true });
});

async function withCredential(): Promise<Place> {
  const place = await Place.withFacts('first');
  await place.with((oka) =>
    oka.vault.add({
      name: 'token',
      value: 'a very secret value',
      scopes: [],
      by: 'test',
      keySource: 'file',
    } as never),
  );
  return place;
}

it('doctor finds what verify finds: a missing mirror and a missing key of the vault', async () => {
  const place = await withCredential();
  expect(await place.doctor()).toMatchObject({ ok: true });
  place.delete('run_ledger.jsonl');
  rmSync(join(place.home, 'keys'), { recursive: true });
  expect(await place.doctor()).toMatchObject({ ok: false, detail: '3 faults; run: oka ledger verify' });
});

it('a missing key of the vault is found, and a repair that accepts the loss revokes what it locked', async () => {
  const place = await withCredential();
  expect(await place.verify()).toMatchObject({ ok: true });
  rmSync(join(place.home, 'keys'), { recursive: true });
  const answer = await place.verify();
  expect(answer).toMatchObject({ ok: false, faults: [{ where: 'vault' }, { where: 'credential token' }] });
  expect(answer.faults[0]?.what).toContain('key of this vault is missing');
  const repair = (acceptLoss: boolean) => place.with((oka) => oka.ledger.repair({ by: 'test', acceptLoss }));
  expect(await repair(false)).toMatchObject({ ok: false });
  expect(await repair(true)).toMatchObject({ ok: true });
  expect(await place.verify()).toMatchObject({ ok: true });
});
