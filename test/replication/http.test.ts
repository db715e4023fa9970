import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpSink } from '../../src/adapters/replication/index.ts';
import { Outbox } from '../../src/ledger/index.ts';
import { replicaSinkConformance } from '../../src/ledger/replication/replica-sink.conformance.ts';
import { NOTES, note, TestLedger } from '../../src/ledger/replication/replication-kit.conformance.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { ReplicatedWorkspace } from './replicated-workspace.ts';
import { TestEndpoint, type Whim } from './test-endpoint.ts';

const { signal } = new AbortController();

async function prepare(whim?: Whim, timeoutMs?: number) {
  const [endpoint, ledger] = [await TestEndpoint.open(), new TestLedger()];
  if (whim) endpoint.whim = whim;
  const sink = openSink(endpoint, timeoutMs);
  const limits = { events: 10, bytes: 1_000_000 };
  return { endpoint, ledger, sink, outbox: new Outbox({ source: ledger, sink, limits }) };
}

function openSink(endpoint: TestEndpoint, timeoutMs?: number): HttpSink {
  const patience = timeoutMs === undefined ? {} : { timeoutMs };
  const sink = new HttpSink({ url: new URL(endpoint.url), projections: [NOTES], ...patience });
  onTestFinished(() => sink.close());
  return sink;
}

const answering =
  (status: number, body: string, headers = {}): Whim =>
  (response) => {
    response.writeHead(status, headers).end(body);
    return 'own';
  };

const cutting: Whim = (response) => {
  response.destroy();
  return 'own';
};

describe('replication to an HTTP endpoint', () => {
  replicaSinkConformance('an HTTP endpoint', async () => openSink(await TestEndpoint.open()));

  it('posts the position of a batch, its key, and the changes of memory', async () => {
    const { endpoint, ledger, outbox } = await prepare();
    await ledger.append('notes', note('1', 'one'), { type: 'note.dropped', data: { id: '1' } });
    await outbox.shipAll(signal);
    const [batch] = endpoint.batches;
    const { hash } = await ledger.head();
    expect(batch).toMatchObject({
      version: 1,
      after: { seq: 0, head: '' },
      from: 1,
      to: 2,
      head: hash,
      events: [{ seq: 1, stream: 'notes', index: 0, data: '{"id":"1"}', body: '{"text":"one"}' }, { seq: 2 }],
      changes: [
        { seq: 1, table: 'notes', put: { id: '1', text: 'one', size: 3 } },
        { seq: 2, table: 'notes', delete: { id: '1' } },
      ],
    });
    expect(endpoint.headers.at(-1)).toMatchObject({ 'idempotency-key': batch?.key });
  });

  it.each<[string, Whim, string, boolean]>([
    ['answers 500', answering(500, 'oops'), 'replication.unreachable', true],
    ['answers 429', answering(429, ''), 'replication.unreachable', true],
    ['answers garbage', answering(200, '<html>'), 'replication.bad_answer', true],
    ['answers nothing', answering(200, ''), 'replication.bad_answer', true],
    ['answers without a head', answering(200, '{"seq":3}'), 'replication.bad_answer', true],
    ['answers a bad position', answering(200, '{"seq":-1,"head":""}'), 'replication.bad_answer', true],
    ['answers 1 MB', answering(200, ' '.repeat(1_000_000)), 'replication.bad_answer', true],
    [
      'reports a diverged head',
      answering(200, `{"seq":1,"head":"${'0'.repeat(64)}"}`),
      'replication.diverged',
      false,
    ],
    ['refuses the token', answering(401, ''), 'replication.refused', false],
    [
      'redirects elsewhere',
      answering(307, '', { location: 'http://127.0.0.1:9/' }),
      'replication.refused',
      false,
    ],
    ['closes the connection', cutting, 'replication.unreachable', true],
    [
      'closes the connection in its answer',
      (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"seq":', () => response.destroy());
        return 'own';
      },
      'replication.unreachable',
      true,
    ],
  ])('reports an endpoint that %s', async (_, whim, code, transient) => {
    const { ledger, outbox } = await prepare(whim);
    await ledger.fill(3);
    await expect(outbox.shipAll(signal)).rejects.toMatchObject({ code, transient });
  });

  it('sends erasures, so that the content is erased there too', async () => {
    const { endpoint, ledger, outbox } = await prepare();
    await ledger.append('notes', note('1', 'kept'), note('2', 'to be erased'));
    await outbox.shipAll(signal);
    await ledger.erase({ stream: 'notes', index: 1 });
    await outbox.shipAll(signal);
    const kept = JSON.stringify(await endpoint.replica.read(endpoint.batches[0]?.workspace ?? '', 0, 100));
    expect(kept).toContain('kept');
    expect(kept).not.toContain('to be erased');
  });

  it('times out on an endpoint that does not answer', async () => {
    const { ledger, outbox } = await prepare(() => 'own', 50);
    await ledger.fill(1);
    await expect(outbox.shipAll(signal)).rejects.toMatchObject({ code: 'replication.unreachable' });
  });

  it('converges without duplicates when the connection is cut before and after batches are accepted', async () => {
    let requests = 0;
    const { endpoint, ledger, outbox } = await prepare(async (response, { take }) => {
      requests += 1;
      if (requests % 3 === 0) return 'usual';
      if (requests % 3 === 1) await take();
      response.destroy();
      return 'own';
    });
    await ledger.fill(95);
    let tries = 0;
    for (let done = false; !done; tries += 1)
      done = await outbox.shipAll(signal).then(
        () => true,
        () => false,
      );
    expect(tries).toBeGreaterThan(10);
    const { workspace } = endpoint.batches[0] as { workspace: string };
    expect(await endpoint.replica.read(workspace, 0, 1_000)).toEqual(await ledger.read(0, 1_000));
  });

  it('resumes when the endpoint comes back, and reports its state meanwhile', async () => {
    const clock = new ManualClock();
    const endpoint = await TestEndpoint.open();
    const { port, url } = endpoint;
    await endpoint.close();
    const workspace = new ReplicatedWorkspace({
      clock,
      replication: { http: { url, tokenSecret: 'replica-token' } },
      secrets: { 'replica-token': 'a-token-that-nobody-may-see' },
    });
    await workspace.fill(30);
    const ending = new AbortController();
    const troubles: string[] = [];
    const following = workspace.replication.follow({
      signal: ending.signal,
      onWarning: (what) => troubles.push(what),
      onShipped: ({ cursor }) => cursor === 30 && ending.abort(),
    });
    while (troubles.length === 0) await settle();
    clock.advance(500);
    const status = await workspace.replication.status();
    expect(status).toMatchObject({
      reached: false,
      sink: `http://127.0.0.1:${port}/replica`,
      head: 30,
      failures: 1,
      lastError: { code: 'replication.unreachable' },
    });
    await endpoint.listen(port);
    while (!ending.signal.aborted) {
      clock.advance(1_000);
      await settle();
    }
    await following;
    expect(troubles).toHaveLength(1);
    expect(endpoint.headers.at(-1)?.authorization).toBe('Bearer a-token-that-nobody-may-see');
    expect(workspace.uses[0]).toBe(`replica-token replication 127.0.0.1:${port}`);
    expect(JSON.stringify([status, troubles])).not.toContain('a-token');
    expect(await workspace.replication.verify()).toMatchObject({ ok: true, behind: 0, chainWalked: false });
  });

  it.each(['ftp://127.0.0.1/x', 'nothing', 'https://me:secret@example.org/', 'http://example.org/replica'])(
    'refuses the address %s',
    async (url) => {
      const workspace = new ReplicatedWorkspace({ replication: { http: { url } } });
      await workspace.fill(1);
      await expect(workspace.replication.once()).rejects.toMatchObject({ code: 'replication.invalid' });
    },
  );

  it('does nothing where it is not configured', async () => {
    const workspace = new ReplicatedWorkspace({});
    expect(await workspace.replication.status()).toEqual({ configured: false });
    await expect(workspace.replication.once()).rejects.toMatchObject({
      code: 'replication.not_configured',
    });
  });
});
