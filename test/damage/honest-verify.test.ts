import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SignedHeads, WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { openArtifacts } from '../../src/runtime/ledger/open-artifacts.ts';
import { type VerifyParts, verifyLedger } from '../../src/runtime/ledger/verify-ledger.ts';
import { DamagedWorkspace } from './flipped-bits.ts';

function flipInMirror(place: DamagedWorkspace): void {
  const file = join(place.workspace, '.oka', 'run_ledger.jsonl');
  const bytes = readFileSync(file);
  bytes[200] = (bytes[200] as number) ^ 1;
  writeFileSync(file, bytes);
}

function partsOf({ workspace, home }: DamagedWorkspace): VerifyParts {
  const folder = new WorkspaceFolder(workspace);
  return {
    ...{ folder, clock: systemClock },
    artifacts: openArtifacts({ folder, clock: systemClock }, {}),
    heads: new SignedHeads({ home, folder, clock: systemClock }),
    vaultFaults: async () => [],
  };
}

/** Verifies as for a ledger that takes longer than about ten seconds. */
function verifyLarge(place: DamagedWorkspace) {
  return verifyLedger(partsOf(place), { maxSeconds: 0 });
}

it('reads the mirror again, although it was verified before', async () => {
  const place = new DamagedWorkspace();
  await place.populate(9);
  const verify = () => place.with((oka) => oka.ledger.verify({ full: false }));
  expect(await verify()).toMatchObject({ ok: true, full: true, mirrorEqual: true });
  flipInMirror(place);
  expect(await verify()).toMatchObject({ ok: false, full: true, summary: '1 fault' });
  const { checks } = await place.with((oka) => oka.doctor({ models: false }));
  expect(checks.find(({ name }) => name === 'ledger')).toMatchObject({ ok: false });
});

it('reports nothing of a blob that no event needs and that is removed while the blobs are read', async () => {
  const place = new DamagedWorkspace();
  await place.populate(9);
  const parts = partsOf(place);
  const { artifacts } = parts;
  const { digest } = await openArtifacts(parts, {}).put('needed by nothing', { mediaType: 'text/plain' });
  const get: typeof artifacts.get = async (one) => (one === digest ? undefined : artifacts.get(one));
  const list = () => artifacts.list();
  expect(await verifyLedger({ ...parts, artifacts: { get, list } })).toMatchObject({ ok: true, faults: [] });
});

it('reads a mirror again that is rewritten meanwhile, although no event is added', async () => {
  const place = new DamagedWorkspace();
  await place.populate(9);
  const parts = partsOf(place);
  const { mirror } = parts.folder;
  const sound = readFileSync(mirror);
  flipInMirror(place);
  let views = 0;
  const vaultFaults = async () => {
    views += 1;
    if (views === 1) writeFileSync(mirror, sound);
    return [];
  };
  expect(await verifyLedger({ ...parts, vaultFaults })).toMatchObject({ ok: true, mirrorEqual: true });
  expect(views).toBe(2);
});

it('claims only what it read of a large ledger', async () => {
  const place = new DamagedWorkspace();
  await place.populate(9);
  const { summary, head } = await verifyLarge(place);
  expect(summary).toMatch(/^verified: \d+ events in \d+ streams, tables and mirror equal, \d+ blobs sound$/);
  await place.with((oka) => oka.memory.addFact({ text: 'One more', by: 'test' }));
  flipInMirror(place);
  for (let i = 0; i < 2; i++) {
    const answer = await verifyLarge(place);
    expect(answer).toMatchObject({ ok: true, full: false, events: 1, since: { seq: head.seq } });
    expect(answer).not.toHaveProperty('mirrorEqual');
    expect(answer.summary).toMatch(
      /^1 new event verified; the other \d+ were verified on \d{4}-\d\d-\d\d, not now$/,
    );
  }
  expect(await place.verify()).toHaveLength(1);
});

it.each([
  ['is not JSON', '{ "models": 5, '],
  ['has a value of another type', '{ "default_model": 5 }'],
])('doctor reports a configuration that %s as one failed check and goes on', async (_, text) => {
  const place = new DamagedWorkspace();
  await place.with((oka) => oka.init({ trust: true }));
  const names = async () => {
    const { ok, checks } = await place.with((oka) => oka.doctor({ models: false }));
    return { ok, names: checks.map(({ name }) => name), failed: checks.filter((check) => !check.ok) };
  };
  const before = await names();
  expect(before).toMatchObject({ ok: true, failed: [] });
  for (const file of [join(place.workspace, '.oka', 'config.json'), join(place.home, 'config.json')]) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    const after = await names();
    expect(after).toMatchObject({ ok: false, failed: [{ name: 'configuration' }] });
    expect(after.failed[0]?.detail).toContain(file);
    expect(after.names).toEqual(expect.arrayContaining(before.names));
    writeFileSync(file, '{}');
  }
});
