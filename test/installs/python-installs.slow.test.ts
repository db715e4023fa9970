import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toolEnvironment } from '../../src/adapters/installs/index.ts';
import { orderInstall } from '../../src/tools/installs/catalogue.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildWheel } from './build-packages.ts';
import { installKit, NEVER, withoutPip } from './install-kit.ts';

const order = (name: string, version?: string) =>
  orderInstall({ ecosystem: 'python', package: name, version });

function wheels(): string {
  const folder = join(tempFolder(), 'wheels');
  const hello = (text: string) => ({ 'greeter/__init__.py': `def main():\n    print('${text}')\n` });
  const programs = { 'oka-greets': 'greeter:main', ls: 'greeter:main' };
  buildWheel(folder, {
    name: 'greeter',
    version: '1.2.0',
    files: hello('one'),
    programs,
    needs: ['Loud_Voice'],
  });
  buildWheel(folder, {
    name: 'greeter',
    version: '1.3.0',
    files: hello('two'),
    programs,
    needs: ['Loud_Voice'],
  });
  buildWheel(folder, { name: 'Loud_Voice', version: '0.1', files: { 'loud.py': 'volume = 11\n' } });
  buildWheel(folder, { name: 'tea', version: '2.0', files: { 'tea.py': 'kind = "green"\n' } });
  return folder;
}

const python = (tools: string, ...args: readonly string[]): string =>
  spawnSync(join(tools, 'python', 'bin', 'python3'), args, { encoding: 'utf8' }).stdout.trim();

describe.skipIf(withoutPip)(`a Python package${withoutPip ? ` (skipped: ${withoutPip})` : ''}`, () => {
  it('is installed with its hash and its dependencies, and its programs can be called', async () => {
    const { installer, tools, workspace, record } = installKit({ sources: { wheelFolder: wheels() } });
    const { installed, fresh } = await installer.install(order('Greeter'), NEVER);
    expect(fresh).toBe(true);
    expect(installed).toEqual({
      ecosystem: 'python',
      name: 'greeter',
      version: '1.3.0',
      integrity: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      bins: ['oka-greets'],
      withheld: ['ls'],
      dependencies: [{ name: 'loud-voice', version: '0.1', integrity: expect.stringMatching(/^sha256:/) }],
    });
    expect(spawnSync(join(tools, 'bin', 'oka-greets'), { encoding: 'utf8' }).stdout).toBe('two\n');
    expect(python(tools, '-c', 'import loud; print(loud.volume)')).toBe('11');
    expect(toolEnvironment(workspace, record)).toEqual({
      VIRTUAL_ENV: join(tools, 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
    });
    expect(existsSync(join(tools, 'python', 'bin', 'ls'))).toBe(false);
    expect(readdirSync(workspace)).toEqual(['.oka']);
  });

  it('is not reinstalled, stays when others are added and removed, and is removed with its programs', async () => {
    const { installer, tools } = installKit({ sources: { wheelFolder: wheels() } });
    await installer.install(order('greeter', '1.2.0'), NEVER);
    const generation = readdirSync(join(tools, 'generations'));
    expect((await installer.install(order('greeter'), NEVER)).fresh).toBe(false);
    expect(readdirSync(join(tools, 'generations'))).toEqual(generation);

    await installer.install(order('tea'), NEVER);
    expect(python(tools, '-c', 'import tea, greeter; greeter.main()')).toBe('one');
    expect((await installer.list()).map(({ name, version }) => [name, version])).toEqual([
      ['greeter', '1.2.0'],
      ['tea', '2.0'],
    ]);
    expect(await installer.remove({ ecosystem: 'python', package: 'Greeter' }, NEVER)).toBe(true);
    expect(await installer.remove({ ecosystem: 'python', package: 'greeter' }, NEVER)).toBe(false);
    expect(readdirSync(join(tools, 'bin'))).toEqual([]);
    expect(python(tools, '-c', 'import tea; print(tea.kind)')).toBe('green');
    expect(python(tools, '-c', 'import importlib.util; print(importlib.util.find_spec("greeter"))')).toBe(
      'None',
    );
    expect(await installer.remove({ ecosystem: 'python', package: 'tea' }, NEVER)).toBe(true);
    expect(existsSync(join(tools, 'python'))).toBe(false);
  });

  it('that does not exist, or is not a wheel, is refused, and nothing is left behind', async () => {
    const folder = wheels();
    writeFileSync(join(folder, 'coffee-1.0.tar.gz'), 'no archive');
    const { installer, tools } = installKit({ sources: { wheelFolder: folder } });
    for (const name of ['nowhere', 'coffee'])
      await expect(installer.install(order(name), NEVER)).rejects.toMatchObject({
        code: 'environment.package_not_found',
        data: { ecosystem: 'python', package: name },
      });
    expect(readdirSync(join(tools, 'generations'))).toEqual([]);
    expect(readdirSync(join(tools, 'staging'))).toEqual([]);
    expect(existsSync(join(tools, 'python'))).toBe(false);
  });

  it('can come from an index, and is refused when the downloaded file has another hash', async () => {
    const folder = wheels();
    const content = readFileSync(join(folder, 'tea-2.0-py3-none-any.whl'));
    const index = { hash: createHash('sha256').update(content).digest('hex') };
    const server = createServer(({ url }, response) => {
      const page = `<a href="/tea-2.0-py3-none-any.whl#sha256=${index.hash}">tea-2.0-py3-none-any.whl</a>`;
      if (url === '/simple/tea/') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      else if (url === '/tea-2.0-py3-none-any.whl') response.end(content);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const pipIndex = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`;
    const good = installKit({ sources: { pipIndex } });
    expect((await good.installer.install(order('tea'), NEVER)).installed.integrity).toBe(
      `sha256:${index.hash}`,
    );

    index.hash = '0'.repeat(64);
    const bad = installKit({ sources: { pipIndex } });
    await expect(bad.installer.install(order('tea'), NEVER)).rejects.toMatchObject({
      code: 'environment.unverified',
    });
    expect(existsSync(join(bad.tools, 'python'))).toBe(false);
  });
});
