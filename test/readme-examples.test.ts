// Runs README with the built command line, and checks how the pages mark their blocks of commands. The smoke test of the
// installed product runs README and every guide with the installed one.

import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './checkout.ts';
import { PROGRAM } from './cli/oka-process.ts';
import { readmeSteps, startFiles } from './support/readme-steps.ts';
import { runSteps, skippedBlocks, stepsIn, unmarkedBlocks } from './support/run-page.ts';
import { tempFolder } from './support/temp-folder.ts';

const README = readFileSync(join(root, 'README.md'), 'utf8');
const GUIDES = readdirSync(join(root, 'docs', 'guides')).map((name) => `docs/guides/${name}`);

test('README runs as it is written', async () => {
  const bin = tempFolder('oka bin-');
  symlinkSync(PROGRAM, join(bin, 'oka'));
  const steps = readmeSteps(README);
  expect(steps.flatMap(({ shown }) => shown).length).toBeGreaterThan(0);
  await runSteps(steps, { path: [bin, process.env['PATH']].join(delimiter), files: startFiles() });
});

test.each(GUIDES)('%s says of each block of commands that it runs, or why not', (name) => {
  const page = readFileSync(join(root, name), 'utf8');
  expect(unmarkedBlocks(page), 'lines of blocks without a language').toEqual([]);
  for (const reason of skippedBlocks(page)) expect(reason).toMatch(/\w+ \w+/);
});

test('a page fails at the command that fails, and where other words are printed', async () => {
  const place = { path: process.env['PATH'] ?? '' };
  const run = (text: string) => runSteps(stepsIn(`\`\`\`sh\n${text}\n\`\`\`\n`), place);
  await expect(run('echo one\n#> one\ntrue  # exits with 0')).resolves.toBeUndefined();
  await expect(run('echo one\nfalse')).rejects.toThrow('exit code 1');
  await expect(run('true  # exits with 4')).rejects.toThrow('exit code 1');
  await expect(run('echo one\n#> two')).rejects.toThrow('two');
  await expect(runSteps(stepsIn('```sh skip: no such program\nnone\n```\n'), place)).resolves.toBeUndefined();
});
