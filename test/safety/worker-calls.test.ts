import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClusterProject, WorkerServer, workerKey } from '../../src/adapters/restate/index.ts';
import { runTarget } from '../../src/adapters/restate/names.ts';
import { CLOCK_SKEW_MS, PROOF, proofHeaders, WORKER_KEY } from '../../src/adapters/restate/proofs.ts';
import { SqlUsedProofs } from '../../src/adapters/sql/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { RestateCaller, type WorkerAnswer, type WorkerCall } from '../support/restate-protocol.ts';

const TOKEN = 'the token of the shop';
const KEY = workerKey([{ name: 'shop', token: TOKEN }]);
const DAY_MS = 86_400_000;
const PATH = '/invoke/oka_run/drive';

const clock = new ManualClock();
const driven: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'oka-worker-calls-'));
let ledger: ReturnType<typeof openTestLedger>;
let server: WorkerServer;
let restate: RestateCaller;

beforeAll(async () => {
  clock.advance(100 * DAY_MS);
  ledger = openTestLedger(folder, { clock });
  const proofs = new SqlUsedProofs(ledger.tables, clock);
  const shop: ClusterProject = {
    ...{ name: 'shop', token: TOKEN, runsAtOnce: undefined },
    useProof: (proof) => proofs.use(proof),
    drive: async (run) => {
      driven.push(run);
      return { status: 'completed', ended: true, cancelled: [], mailboxes: [], scheduled: false };
    },
    tick: () => Promise.reject(new Error('ticked')),
    answer: () => Promise.reject(new Error('answered')),
    openWork: () => Promise.reject(new Error('searched')),
  };
  const projects = (name: string) => (name === 'shop' ? shop : undefined);
  const place = { host: '127.0.0.1', port: 0 };
  server = await WorkerServer.listen({ projects, clock, key: KEY, ...place, onWarning: () => undefined });
  restate = new RestateCaller(server.url);
});

afterAll(async () => {
  restate?.close();
  await server?.drain(0);
  await ledger?.close();
  rmSync(folder, { recursive: true, force: true });
});

let calls = 0;

/** A call that nobody has made before. */
function validCall({ token = TOKEN, at = clock.now() } = {}): WorkerCall {
  const run = `run-${++calls}`;
  const target = runTarget('shop', run);
  const body = Buffer.from('{"called":false}');
  const nonce = calls.toString(16).padStart(32, '0');
  return {
    ...{ path: PATH, key: target.key, invocation: `inv-${run}`, body },
    requestHeaders: { [WORKER_KEY]: KEY },
    headers: proofHeaders(token, { target, body, at, nonce }),
  };
}

/** Makes the call; tells whether the run was driven. */
async function make(call: WorkerCall): Promise<WorkerAnswer & { readonly isDriven: boolean }> {
  const before = driven.length;
  const answer = await restate.call(call);
  return { ...answer, isDriven: driven.length > before };
}

async function requireRefused(call: WorkerCall): Promise<void> {
  const { status, said = '', isDriven } = await make(call);
  expect(isDriven).toBe(false);
  if (status === 200) expect(said).toContain('cluster.forbidden');
  else expect([401, 404]).toContain(status);
}

/** Another text: one character differs, is missing or is added. */
const changed = (text: string) =>
  fc
    .tuple(fc.nat(text.length - 1), fc.constantFrom(...'0123456789abcdefz{}"/.'), fc.constantFrom(0, 1, 2))
    .map(([at, character, kind]) => {
      const added = kind === 0 ? '' : character;
      return text.slice(0, at) + added + text.slice(kind === 2 ? at : at + 1);
    })
    .filter((other) => other !== text);

/** One change of one part of a valid call. */
function mutated(call: WorkerCall): fc.Arbitrary<WorkerCall> {
  const { [PROOF]: proof = '' } = call.headers;
  return fc.oneof(
    changed(KEY).map((key) => ({ ...call, requestHeaders: { [WORKER_KEY]: key } })),
    fc.constant({ ...call, requestHeaders: {} }),
    changed(proof).map((other) => ({ ...call, headers: { [PROOF]: other } })),
    fc.constant({ ...call, headers: {} }),
    changed(call.key).map((key) => ({ ...call, key })),
    changed(call.body.toString()).map((body) => ({ ...call, body: Buffer.from(body) })),
    fc
      .constantFrom(
        'oka_run/release',
        'oka_quota/acquire',
        'oka_mailbox/deliver',
        'oka_project/reconcile',
        'x/y',
      )
      .map((path) => ({ ...call, path: `/invoke/${path}` })),
    fc.constant(validCall({ token: 'another token' })),
    fc
      .integer({ min: 1, max: DAY_MS })
      .map((ms) => validCall({ at: clock.now() - 30 * DAY_MS - CLOCK_SKEW_MS - ms })),
    fc.integer({ min: 1, max: DAY_MS }).map((ms) => validCall({ at: clock.now() + CLOCK_SKEW_MS + ms })),
  );
}

it('refuses each call that differs from a valid one, and runs nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constant(undefined).chain(() => mutated(validCall())),
      requireRefused,
    ),
    { numRuns: 300 },
  );
});

it('runs a valid call, each further attempt of it, and no replay', async () => {
  const call = validCall();
  expect(await make(call)).toMatchObject({ status: 200, isDriven: true });
  clock.advance(40 * DAY_MS - 1);
  // Restate repeats an attempt whenever it must; its invocation is the same.
  expect(await make(validCall())).toMatchObject({ isDriven: true });
  const recent = validCall();
  expect(await make(recent)).toMatchObject({ isDriven: true });
  clock.advance(29 * DAY_MS);
  expect(await make(recent)).toMatchObject({ isDriven: true });
  clock.advance(29 * DAY_MS);
  expect(await make(recent)).toMatchObject({ isDriven: true });
  await requireRefused({ ...recent, invocation: 'inv-another' });
  await requireRefused({ ...call, invocation: 'inv-another' });
});

it('runs one of several replays at once, also on another worker of the ledger', async () => {
  const call = validCall();
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, i) => restate.call({ ...call, invocation: `inv-${i}` })),
  );
  expect(made.filter(({ said }) => said === undefined)).toHaveLength(1);
  const proof = { nonce: 'a'.repeat(32), until: clock.now() + DAY_MS, isTimely: true };
  const [here, there] = [new SqlUsedProofs(ledger.tables, clock), new SqlUsedProofs(ledger.tables, clock)];
  expect(await here.use({ ...proof, invocation: 'one' })).toBe(true);
  expect(await there.use({ ...proof, invocation: 'two' })).toBe(false);
});

it('answers nothing without the key of the workers, and no handler without a proof', async () => {
  const { said = '' } = await restate.get('/discover', { [WORKER_KEY]: KEY });
  const { services } = JSON.parse(said) as { services: { name: string; handlers: { name: string }[] }[] };
  const handlers = services.flatMap(({ name, handlers: all }) => all.map((one) => `${name}/${one.name}`));
  expect(handlers).toContain('oka_run/drive');
  expect(handlers).toContain('oka_quota/acquire');
  for (const handler of handlers) {
    const call = { ...validCall(), path: `/invoke/${handler}`, key: 'shop', headers: {} };
    expect((await make(call)).said, handler).toContain('cluster.forbidden');
    expect((await make({ ...call, requestHeaders: {} })).status, handler).toBe(401);
  }
  for (const path of ['/discover', '/health', '/', '/serdes/oka_run/decode/any'])
    for (const headers of [{}, { [WORKER_KEY]: 'another' }, { [WORKER_KEY]: '' }])
      expect(await restate.get(path, headers)).toMatchObject({ status: 401, said: '' });
});

it('does not start without a key', async () => {
  expect(() => workerKey([])).toThrow(/token/);
  expect(() => workerKey([{ name: 'shop', token: '' }])).toThrow(/token/);
  const place = { host: '127.0.0.1', port: 0 };
  const options = { projects: () => undefined, clock, key: '', ...place, onWarning: () => undefined };
  await expect(WorkerServer.listen(options)).rejects.toThrow(/key/);
});
