// Calls of workers by way of Restate: each counts once, and an attempt that Restate repeats is no second call.
import { expect, it } from 'vitest';
import { runTarget } from '../../src/adapters/restate/names.ts';
import { proofHeaders } from '../../src/adapters/restate/proofs.ts';
import { onClusters, type ScaleWorld, until } from './scale-world.ts';

const BODY = Buffer.from('{}');

/** Calls Restate as anyone can who has seen the headers of a call. */
async function drive(world: ScaleWorld, run: string, headers: Readonly<Record<string, string>>) {
  const url = `${world.restate?.ingress}/oka_run/${encodeURIComponent(`shop/${run}`)}/drive`;
  const sent = { 'content-type': 'application/json', ...headers };
  const response = await fetch(url, { method: 'POST', headers: sent, body: BODY });
  return { status: response.status, said: await response.text() };
}

function proof(run: string, { nonce = 'a', at = Date.now() } = {}): Record<string, string> {
  const call = { target: runTarget('shop', run), body: BODY, at, nonce: nonce.repeat(32) };
  return proofHeaders(process.env['OKA_PROJECT_TOKEN'] ?? '', call);
}

onClusters((world) => {
  it('refuses a call that is repeated, is late, or comes without Restate', async () => {
    world().graph('wait', 'nap', [{ node_id: 'nap', type: 'wait', event: 'paid', next: 'end' }]);
    const { id } = await world().run('wait');
    const headers = proof(id);
    expect(await drive(world(), id, headers)).toMatchObject({ status: 200 });
    expect(await drive(world(), id, headers)).toMatchObject({
      status: 403,
      said: expect.stringContaining('made before'),
    });
    const late = proof(id, { nonce: 'b', at: Date.now() - 31 * 86_400_000 });
    expect(await drive(world(), id, late)).toMatchObject({
      status: 403,
      said: expect.stringContaining('clocks'),
    });
    const admin = world().restate?.admin ?? '';
    for (const { url } of world().workers) {
      const registered = await fetch(`${admin}/deployments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ uri: url, dry_run: true }),
      });
      expect(await registered.text()).toContain('401');
    }
  });

  it('continues a call whose worker was killed', async () => {
    world().graph('ask', 'ask', [
      { node_id: 'ask', type: 'tool', tool: 'http.fetch', args: { url: world().counter }, next: 'end' },
    ]);
    let isKilled = false;
    world().onEffect = async () => {
      if (isKilled) return;
      isKilled = true;
      const { id } = (await until(async () => (await world().oka.runs.list({ limit: 1 })).at(0))) as {
        id: string;
      };
      await world().killWorker(await world().workerOf(id));
    };
    expect(await world().run('ask')).toMatchObject({ status: 'completed' });
    expect(isKilled).toBe(true);
  });
});
