import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RepairAnswer, VerifyAnswer } from '../../src/api/index.ts';
import { chainAfter, digestOfBody, EMPTY_LEDGER, EMPTY_STREAM } from '../../src/ledger/event.ts';
import { lineOfRecord, parseMirrorLine } from '../../src/ledger/index.ts';
import { Workspace } from '../cli/oka-process.ts';
import { addFacts, DATABASE, expectSound, factsOf, json, MIRROR } from '../cli/repair-kit.ts';
import { trustFolder } from '../support/trust-folder.ts';

const HEAD = '.oka/head.json';

/** Changes a text in the whole ledger and computes every chain value again, as an attacker with the files can. */
async function rewriteLedger(workspace: Workspace, from: string, to: string): Promise<void> {
  const ends = new Map<string, { index: number; chain: string }>();
  let head = EMPTY_LEDGER.hash;
  const lines = readFileSync(workspace.at(MIRROR), 'utf8').trimEnd().split('\n').map(parseMirrorLine);
  const written = lines.map((record) => {
    if (!('event' in record)) throw new Error('this test archives nothing');
    const { event } = record;
    const bodyText = event.bodyText?.replaceAll(from, to) ?? null;
    const bodyDigest = bodyText === null ? event.bodyDigest : digestOfBody(event.salt ?? '', bodyText);
    const changed = { ...event, dataText: event.dataText.replaceAll(from, to), bodyText, bodyDigest };
    const chain = chainAfter((ends.get(event.stream) ?? EMPTY_STREAM).chain, head, changed);
    head = chain;
    ends.set(event.stream, { index: event.index, chain });
    return lineOfRecord({ event: { ...changed, chain } });
  });
  writeFileSync(workspace.at(MIRROR), `${written.join('\n')}\n`);
  removeDatabase(workspace);
  const attacker = Workspace.trusted({ root: workspace.root, files: {} });
  await json(attacker, 'ledger', 'rebuild', '--from', 'mirror');
}

function removeDatabase(workspace: Workspace): void {
  for (const tail of ['', '-wal', '-shm']) rmSync(workspace.at(DATABASE + tail), { force: true });
}

/** Restores the ledger to its state after the first fact. */
async function withOlderLedger(): Promise<Workspace> {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first');
  for (const file of [DATABASE, MIRROR]) copyFileSync(workspace.at(file), workspace.at(`${file}.older`));
  await addFacts(workspace, 'second', 'third');
  removeDatabase(workspace);
  for (const file of [DATABASE, MIRROR]) copyFileSync(workspace.at(`${file}.older`), workspace.at(file));
  return workspace;
}

test('verify names the newest signed event', async () => {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first', 'second');
  const { data } = await json<VerifyAnswer>(workspace, 'ledger', 'verify');
  expect(data.signed?.seq).toBe(data.head.seq);
  expect(data.notes).toEqual([]);
});

test('a chain that was edited and rehashed as a whole fails verification', async () => {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'the office is in Bern');
  await rewriteLedger(workspace, 'Bern', 'Rome');
  expect(await factsOf(workspace)).toEqual(['the office is in Rome']);
  const { exitCode, data } = await json<VerifyAnswer>(workspace, 'ledger', 'verify', '--full');
  expect({ exitCode, ok: data.ok }).toEqual({ exitCode: 7, ok: false });
  expect(data.faults).toEqual([
    { where: 'signed head', what: expect.stringContaining('the ledger was rewritten or replaced') },
  ]);
});

test('no command writes to a rewritten ledger until the user accepts it', async () => {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'the office is in Bern');
  await rewriteLedger(workspace, 'Bern', 'Rome');
  const before = readFileSync(workspace.at(MIRROR), 'utf8');
  const { exitCode, error } = await json(workspace, 'memory', 'fact', 'add', 'more');
  expect({ exitCode, code: error?.code }).toEqual({ exitCode: 7, code: 'ledger.rewritten' });
  expect(error?.message).toContain('oka ledger repair --accept-head');
  expect(readFileSync(workspace.at(MIRROR), 'utf8')).toBe(before);
  expect((await json<RepairAnswer>(workspace, 'ledger', 'repair')).data).toMatchObject({
    ok: false,
    next: ['oka backup restore FILE --replace', 'oka ledger repair --accept-head'],
  });
  expect(await json(workspace, 'ledger', 'repair', '--accept-head')).toMatchObject({ exitCode: 0 });
  await addFacts(workspace, 'more');
  await expectSound(workspace);
});

test('a ledger older than its signed head is reported with both positions, and the user chooses', async () => {
  const workspace = await withOlderLedger();
  const { exitCode, error } = await json(workspace, 'memory', 'fact', 'add', 'fourth');
  expect({ exitCode, code: error?.code }).toEqual({ exitCode: 7, code: 'ledger.older_than_signed' });
  expect(error?.message).toMatch(/ends at event \d+, but event \d+ was signed at 20/);
  const { data } = await json<VerifyAnswer>(workspace, 'ledger', 'verify');
  expect(data.faults).toMatchObject([{ where: 'signed head' }]);
  const accepted = await json<RepairAnswer>(workspace, 'ledger', 'repair', '--accept-head');
  expect(accepted).toMatchObject({ exitCode: 0, data: { ok: true } });
  await addFacts(workspace, 'fourth');
  expect(await factsOf(workspace)).toEqual(['first', 'fourth']);
  await expectSound(workspace);
});

test('a forged signature in the workspace is reported, and one in the user folder stops writing', async () => {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first');
  const signed = JSON.parse(readFileSync(workspace.at(HEAD), 'utf8'));
  writeFileSync(workspace.at(HEAD), JSON.stringify({ ...signed, seq: signed.seq + 1 }));
  expect((await json<VerifyAnswer>(workspace, 'ledger', 'verify')).data).toMatchObject({
    ok: true,
    notes: [expect.stringContaining('head.json beside the ledger is not signed with your key')],
  });
  const anchor = join(workspace.home, 'heads', `${signed.workspace}.json`);
  writeFileSync(anchor, JSON.stringify({ ...signed, hash: '0'.repeat(64) }));
  const { error } = await json(workspace, 'memory', 'fact', 'add', 'second');
  expect(error?.code).toBe('ledger.rewritten');
});

test('only the owner can read the signing key, and the ledger never has it', async () => {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first');
  const key = join(workspace.home, 'signing-key.pem');
  expect(statSync(key).mode & 0o777).toBe(0o600);
  const [, secret = ''] = readFileSync(key, 'utf8').split('\n');
  for (const file of [DATABASE, MIRROR, HEAD])
    expect(readFileSync(workspace.at(file), 'latin1')).not.toContain(secret);
});

test('a ledger that was written before heads were signed is signed by the next command', async () => {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first');
  for (const place of [
    workspace.at(HEAD),
    workspace.at('.oka/workspace.json'),
    join(workspace.home, 'heads'),
  ])
    rmSync(place, { recursive: true });
  trustFolder(workspace.home, workspace.root);
  const { data } = await json<VerifyAnswer>(workspace, 'ledger', 'verify');
  expect(data).toMatchObject({
    ok: true,
    notes: [expect.stringContaining('No head of this ledger was signed')],
  });
  await addFacts(workspace, 'second');
  expect(existsSync(workspace.at('.oka/workspace.json'))).toBe(true);
  expect((await json<VerifyAnswer>(workspace, 'ledger', 'verify')).data.signed).toBeDefined();
});

test('a backup is trusted when its maker restores it; one of a stranger is not, unless the user says so', async () => {
  const workspace = Workspace.trusted();
  await addFacts(workspace, 'first');
  const file = join(workspace.home, 'garden.tar.gz');
  await json(workspace, 'backup', 'create', file);
  const restore = async (home: string, ...more: string[]) => {
    const other = new Workspace({ home, files: {} });
    const { data } = await json<{ warnings: { where: string }[] }>(other, 'backup', 'restore', file, ...more);
    return { warnings: data.warnings, isSigned: existsSync(other.at(HEAD)) };
  };
  const stranger = Workspace.trusted().home;
  expect(await restore(workspace.home)).toEqual({ warnings: [], isSigned: true });
  expect(await restore(stranger)).toEqual({
    warnings: [{ where: 'ledger', what: expect.stringContaining('--mine') }],
    isSigned: false,
  });
  expect(await restore(stranger, '--mine')).toEqual({ warnings: [], isSigned: true });
});
