import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Oka } from '../src/runtime/index.ts';
import { tempFolder } from './support/temp-folder.ts';

// Nothing listens on port 1.
const AWAY = {
  ledger: { url: 'postgres://oka@127.0.0.1:1/shop' },
  execution: { backend: 'restate', ingress: 'http://127.0.0.1:1' },
};

async function examine(config: object) {
  const [workspace, home] = [tempFolder(), tempFolder()];
  const before = new Oka({ workspace, home });
  await before.init({ trust: true });
  await before.close();
  writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  const oka = new Oka({ workspace, home });
  const answer = await oka.doctor({ models: false });
  await oka.close();
  return answer;
}

it('reports that PostgreSQL and Restate are unreachable, without waiting for them, and what to do', async () => {
  const { ok, checks } = await examine(AWAY);
  expect(ok).toBe(false);
  expect(checks).toContainEqual({
    name: 'ledger',
    ok: false,
    code: 'ledger.unavailable',
    detail: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1\/shop is not reachable.*Start it/),
  });
  expect(checks).toContainEqual({
    name: 'restate',
    ok: false,
    code: 'cluster.unreachable',
    detail: expect.stringMatching(/^Cannot reach Restate at http:\/\/127\.0\.0\.1:1\..*Start it/),
  });
});

it('does not mention servers that the workspace does not use', async () => {
  const { checks } = await examine({});
  const names = checks.map(({ name }) => name);
  expect(names).toContain('ledger');
  for (const server of ['postgres', 'restate']) expect(names).not.toContain(server);
});
