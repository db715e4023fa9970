import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { buildTarball } from './build-packages.ts';

export interface FixturePackage {
  readonly name: string;
  readonly version: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
  /** Tells another hash than the tarball has. */
  readonly integrity?: string | null;
}

export interface FixtureRegistry {
  readonly address: string;
  /** What was asked for, in order. */
  readonly asked: readonly string[];
  /** Whether tarballs are handed out; while not, whoever asks waits. */
  stalled: boolean;
}

/** A registry of npm on this machine that has a few packages. */
export async function fixtureRegistry(...packages: readonly FixturePackage[]): Promise<FixtureRegistry> {
  const asked: string[] = [];
  const registry = { address: '', asked, stalled: false };
  const offered = new Map<string, { readonly content: Buffer; readonly type: string }>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    asked.push(path);
    if (registry.stalled && path.endsWith('.tgz')) return;
    const found = offered.get(path);
    response.writeHead(found ? 200 : 404, { 'content-type': found?.type ?? 'application/json' });
    response.end(found?.content ?? '{"error":"not found"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  registry.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const name of new Set(packages.map((one) => one.name))) {
    const versions: Record<string, unknown> = {};
    for (const { version, manifest, files, integrity } of packages.filter((one) => one.name === name)) {
      const described = { name, version, ...manifest };
      const tarball = buildTarball({ 'package.json': JSON.stringify(described), ...files });
      const path = `/${name}/-/${name.replace('/', '-')}-${version}.tgz`;
      offered.set(path, { content: tarball, type: 'application/octet-stream' });
      const real = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      const dist = {
        tarball: registry.address + path.slice(1),
        ...(integrity === null ? {} : { integrity: integrity ?? real }),
      };
      versions[version] = { ...described, dist };
    }
    const latest = Object.keys(versions).at(-1);
    const packument = { name, 'dist-tags': { latest }, versions };
    offered.set(`/${name}`, { content: Buffer.from(JSON.stringify(packument)), type: 'application/json' });
  }
  return registry;
}
