// A small part of the smoke test of the installed product, for every test run. smoke.slow.test.ts has all of it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { startEmulator } from '../models/wires.ts';
import { nextBatch, TestEndpoint } from '../replication/test-endpoint.ts';
import { InstalledOka, registryIsOut, startDaemon } from './installed-oka.ts';
import { MAX_INSTALLED_BYTES, MAX_PACKAGES } from './package-size.ts';
import { servePage } from './serve-page.ts';

let oka: InstalledOka | undefined;
let withoutOka = '';

beforeAll(() => {
  try {
    oka = InstalledOka.install({ whole: false });
  } catch (error) {
    withoutOka = registryIsOut(error);
  }
}, 240_000);

afterAll(() => oka?.remove());

test('the installation is small, and has no package but Oka and binaries for this machine', ({ skip }) => {
  if (oka === undefined) return skip(withoutOka);
  const { bytes, packages } = oka.size;
  expect(bytes).toBeLessThan(MAX_INSTALLED_BYTES);
  const others = packages.filter((name) => !/^(@parcel\/watcher|@napi-rs\/keyring)-/.test(name));
  expect(others).toEqual(['@napi-rs/keyring', 'oka']);
  expect(packages.length).toBeLessThanOrEqual(MAX_PACKAGES);
});

test('the installed product fetches, replicates, asks a model and scans, with and without a daemon', async ({
  skip,
}) => {
  if (oka === undefined) return skip(withoutOka);
  const [page, endpoint, emulator] = [await servePage(), await TestEndpoint.open(), await startEmulator()];
  emulator.on({ endpoint: 'chat' }, { content: 'Good day.' });
  const workspace = await oka.open({
    userConfig: {
      allow_private: [page.host],
      models: { mock: { provider: 'openai-compatible', model: 'm', base_url: `${emulator.url}/v1` } },
      replication: { http: { url: endpoint.url } },
    },
  });
  workspace.putAtHome(
    'POLICY.md',
    '| match | decision | why |\n|---|---|---|\n| * and any input | allow | a test |\n',
  );

  const useAll = async (): Promise<void> => {
    const fetched = await workspace.answer('tools', 'call', 'http.fetch', JSON.stringify({ url: page.url }));
    expect(fetched.data).toMatchObject({ run: { status: 'completed' }, output: { body: 'a page' } });
    const asked = await workspace.answer<RunAnswer>('do', 'say hello');
    expect(asked.data).toMatchObject({ run: { status: 'completed' }, output: 'Good day.' });
    expect(await workspace.answer('context', 'scan')).toMatchObject({ exitCode: 0 });
  };
  await useAll();
  expect(await workspace.answer('replicate', 'once')).toMatchObject({ exitCode: 0 });
  expect(endpoint.batches.length).toBeGreaterThan(0);

  const shipped = nextBatch(endpoint);
  const pid = await startDaemon(workspace);
  expect((await workspace.answer('status')).data).toMatchObject({ daemon: { pid } });
  await useAll();
  await shipped;
  expect((await workspace.answer('down')).data).toEqual({ stopped: true, pid });
  await workspace.verified();
}, 240_000);
