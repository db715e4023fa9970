import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isListed, openHostProxy } from '../../src/adapters/http/host-proxy.ts';
import { seccompFilter } from '../../src/adapters/processes/seccomp-filter.ts';
import { fixture, mcpKit } from '../mcp/mcp-kit.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openProcesses, runNode, sandboxTitle, selfTest, withoutSandbox } from './sandbox-kit.ts';

describe.skipIf(withoutSandbox !== undefined)(sandboxTitle('the sandbox'), () => {
  it('holds against every attempt of the self-test', async () => {
    const attempts = await selfTest();
    expect(attempts.length).toBeGreaterThanOrEqual(70);
    expect(attempts.filter(({ held }) => !held)).toEqual([]);
  });

  it('says with each result what confined the program', async () => {
    const { confinement } = await runNode(openProcesses(tempFolder()), '');
    expect(confinement).toMatchObject({
      kind: 'bubblewrap',
      version: expect.stringMatching(/^\d/),
      namespaces: ['user', 'pid', 'ipc', 'uts', 'cgroup', 'mount', 'network'],
      seccomp: true,
      limits: { processes: 1_024 },
      network: false,
    });
  });

  it('shows only system folders, the workspace and what the user adds', async () => {
    const added = tempFolder();
    writeFileSync(join(added, 'note'), 'added');
    const script = `try { console.log(require('node:fs').readFileSync(${JSON.stringify(join(added, 'note'))}, 'utf8')) } catch (error) { console.log(error.code) }`;
    expect((await runNode(openProcesses(tempFolder()), script)).stdout).toBe('ENOENT\n');
    expect((await runNode(openProcesses(tempFolder(), { read: [added] }), script)).stdout).toBe('added\n');
    expect(
      (await runNode(openProcesses(tempFolder(), { read: [added], hidden: [added] }), script)).stdout,
    ).toBe('ENOENT\n');
  });

  it('opens no Unix socket for a program that shares the network, because abstract sockets are shared too', async () => {
    const script = `require('node:net').createServer().on('error', (error) => console.log(error.code)).listen('own.sock', () => { console.log('listens'); process.exit(); });`;
    expect((await runNode(openProcesses(tempFolder()), script)).stdout).toBe('listens\n');
    expect((await runNode(openProcesses(tempFolder()), script, { network: true })).stdout).not.toContain(
      'listens',
    );
  });

  it('reaches listed hosts through the proxy, and nothing else', async () => {
    const server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const processes = openProcesses(tempFolder(), {
      openProxy: (hosts) =>
        openHostProxy({
          hosts,
          resolve: async () => [{ address: '127.0.0.1', family: 4 }],
          allowPrivate: [`listed.test:${port}`],
        }),
    });
    const script = (
      host: string,
    ): string => `const http = require('node:http'); const proxy = new URL(process.env.HTTP_PROXY);
      http.get({ host: proxy.hostname, port: proxy.port, path: 'http://${host}:${port}/', headers: { host: 'listed.test' } }, (answer) => {
        answer.on('data', (data) => console.log(answer.statusCode, String(data).trim())); });`;
    const network = { hosts: [`listed.test:${port}`, `private.test:${port}`] };
    expect((await runNode(processes, script('listed.test'), { network })).stdout).toBe('200 reached\n');
    expect((await runNode(processes, script('other.test'), { network })).stdout).toMatch(/^403 .*not among/);
    expect((await runNode(processes, script('private.test'), { network })).stdout).toMatch(
      /^403 .*not a public/,
    );
  });

  it('starts a server that a definition names, without your home, and ends all its processes', async () => {
    const folder = tempFolder();
    const processes = openProcesses(folder);
    const kit = mcpKit({
      folder,
      startProgram: ({ command, environment }) =>
        processes.launch({ command, environment, access: { network: false } }),
    });
    expect(await kit.approve('fixture', fixture({}))).not.toEqual([]);
  });

  it('gives a definition no folder of Oka, and no link out of the workspace', async () => {
    const folder = tempFolder();
    const okaHome = tempFolder();
    const processes = openProcesses(folder, { hidden: [okaHome] });
    for (const path of [okaHome, join(okaHome, '.')])
      await expect(
        processes.launch({ command: ['true'], environment: {}, access: { write: [path] } }),
      ).rejects.toMatchObject({ code: 'process.start_failed' });
    mkdirSync(join(folder, 'own'));
    const launch = await processes.launch({ command: ['true'], environment: {}, access: { write: ['own'] } });
    await launch.end();
    expect(launch.args.join(' ')).toContain(`--ro-bind ${folder} ${folder}`);
  });
});

describe('the filter for system calls', () => {
  it.each(['x64', 'arm64'])('exists for %s', (architecture) => {
    const filter = seccompFilter({ unixSockets: true, architecture });
    expect(filter?.length).toBeGreaterThan(800);
    expect((filter?.length ?? 1) % 8).toBe(0);
  });

  it('does not exist for other architectures', () => {
    expect(seccompFilter({ unixSockets: true, architecture: 'ppc64' })).toBeUndefined();
  });
});

describe('a list of hosts', () => {
  it.each([
    ['example.org', '443', true],
    ['EXAMPLE.org.', '80', true],
    ['example.org', '8443', false],
    ['a.example.org', '443', false],
    ['a.wild.org', '443', true],
    ['wild.org', '443', false],
    ['evilwild.org', '443', false],
    ['port.org', '8443', true],
    ['port.org', '443', false],
  ])('decides %s:%s as %s', (host, port, listed) => {
    expect(isListed(host, port, ['example.org', '*.wild.org', 'port.org:8443'])).toBe(listed);
  });
});
