// README and every guide, run as they are written with the installed command.

import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../../checkout.ts';
import { Watched } from '../../cli/oka-process.ts';
import { startEmulator } from '../../models/wires.ts';
import { readmeSteps, startFiles } from '../../support/readme-steps.ts';
import { runSteps, stepsIn } from '../../support/run-page.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { InstalledOka } from '../installed-oka.ts';

const GUIDES = join(root, 'docs', 'guides');

export function pagesOfTheDocumentation(oka: () => InstalledOka): void {
  let path = '';
  beforeAll(() => {
    path = [oka().installGlobally(), process.env['PATH']].join(delimiter);
  }, 600_000);

  /** A provider that answers in the formats of OpenAI, Anthropic and Ollama. */
  async function providerEnvironment(): Promise<NodeJS.ProcessEnv> {
    const emulator = await startEmulator();
    emulator.on({ endpoint: 'chat' }, { content: 'Good day.' });
    const { url } = emulator;
    return { OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: `${url}/v1`, OLLAMA_HOST: url };
  }

  test('the command works in any folder and knows where it is installed', async () => {
    const env = { PATH: path, HOME: tempFolder('oka home-') };
    const version = new Watched(['oka', 'version', '--json'], { cwd: tempFolder(), env });
    const { exitCode, stdout } = await version.ended;
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, data: { installation: 'global' } });
  });

  test('README runs as it is written', async () => {
    const steps = readmeSteps(readFileSync(join(root, 'README.md'), 'utf8'));
    await runSteps(steps, { path, env: await providerEnvironment(), files: startFiles() });
  }, 600_000);

  test('the page of the gallery runs as it is written', async () => {
    await runSteps(stepsIn(readFileSync(join(root, 'gallery', 'README.md'), 'utf8')), { path });
  }, 600_000);

  // The programs of the library guide have tests of their own.
  test.each(readdirSync(GUIDES).filter((name) => name.endsWith('.md')))(
    'the guide %s runs as it is written',
    async (name) => {
      const steps = stepsIn(readFileSync(join(GUIDES, name), 'utf8'));
      await runSteps(steps, { path, env: await providerEnvironment() });
    },
    600_000,
  );
}
