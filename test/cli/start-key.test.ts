import { expect, it } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { remoteOka } from '../../src/api/index.ts';
import { DaemonWeb } from '../http/daemon-kit.ts';
import { Workspace } from './oka-process.ts';

it('a command with the key of an earlier one gets its run, and another request with that key is refused', async () => {
  const workspace = Workspace.trusted();
  const call = ['tools', 'call', 'files.list', '{"path":"."}'] as const;
  const first = await workspace.answer(...call, '--key', 'order 7');
  const again = await workspace.answer(...call, '--key', 'order 7');
  expect(again.data.run).toEqual(first.data.run);
  const other = await workspace.refusal('tools', 'call', 'files.list', '{"path":"src"}', '--key', 'order 7');
  expect(other).toMatchObject({ exitCode: 3, error: { code: 'engine.key_reused' } });
  const made = await workspace.answer(...call);
  const retried = await workspace.answer(...call, '--key', made.data.run.id);
  expect(retried.data.run.id).toBe(made.data.run.id);
  const { data } = await workspace.answer<{ runs: readonly unknown[] }>('runs', 'list');
  expect(data.runs).toHaveLength(2);
});

it('a request over HTTP with the same Idempotency-Key gets the same run', async () => {
  const daemon = await DaemonWeb.start();
  const ask = async (
    path: string,
    input: object,
  ): Promise<{ status: number; data: RunAnswer & { code: string } }> => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'order 7' };
    const body = JSON.stringify({ input });
    const { status, text } = await daemon.ask(path, { method: 'POST', headers, body });
    return { status, data: JSON.parse(text) };
  };
  const first = await ask('/v1/tools/files.list/call', { path: '.' });
  const again = await ask('/v1/tools/files.list/call', { path: '.' });
  expect(again.data.run.id).toBe(first.data.run.id);
  const other = await ask('/v1/tools/files.list/call', { path: 'src' });
  expect([other.status, other.data.code]).toEqual([409, 'engine.key_reused']);
  const refused = await ask('/v1/graphs/check', {});
  expect([refused.status, refused.data.code]).toEqual([400, 'http.bad_request']);
});

it('a command says that it is unknown what became of its start when the daemon is lost, and with which key to repeat it', async () => {
  const link = {
    // The daemon ends before it answers.
    call: async function* () {},
    close: () => undefined,
  };
  const openHere = async (): Promise<never> => {
    throw new Error('not used');
  };
  const lost = remoteOka(link as never, openHere, () => undefined);
  const request = { tool: 'files.list', input: {}, patienceMs: 0, key: 'order 7' };
  await expect(lost.tools.call(request)).rejects.toMatchObject({
    code: 'engine.start_unknown',
    message: expect.stringContaining('--key "order 7"'),
  });
  await expect(lost.runs.show('x')).rejects.toMatchObject({ code: 'daemon.unreachable' });
});
