// Runs the blocks of README.md that are marked as `sh example`, line by line. `npx oka` is the built command line,
// `<run>` the newest run, and a line that begins with `#>` is what the command above it prints, `…` being anything.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './checkout.ts';
import { PROGRAM, SMALL_PROJECT } from './cli/oka-process.ts';
import { tempFolder } from './support/temp-folder.ts';

interface Example {
  readonly command: string;
  readonly shown: string[];
}

const SHOWN = '#> ';
const BLOCK = /^```sh example\n(.+?)^```$/gms;

/** What stands in for `npx` and for looking up a run by hand. */
const PRELUDE = `
npx() { shift; "$NODE" "$PROGRAM" "$@"; }
newest_run() { npx oka runs list --limit 1 | tail -n 1 | cut -d ' ' -f 1; }
`;

function examplesIn(block: string): readonly Example[] {
  const examples: Example[] = [];
  for (const line of block.split('\n').filter((each) => each !== '')) {
    if (line.startsWith(SHOWN)) examples.at(-1)?.shown.push(line.slice(SHOWN.length));
    else examples.push({ command: line, shown: [] });
  }
  return examples;
}

/** A pattern for a line that is shown with `…` where it differs from time to time. */
function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`, 'm');
}

/** A person's folder, with a project in it that has the name that the README uses. */
function freshFolder(): string {
  const folder = tempFolder();
  for (const [path, content] of Object.entries(SMALL_PROJECT)) {
    const file = join(folder, 'my-project', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

const blocks = Array.from(readFileSync(join(root, 'README.md'), 'utf8').matchAll(BLOCK), ([, block]) =>
  examplesIn(block as string),
);

test('the README has examples that show what is printed', () => {
  expect(blocks.flat().length).toBeGreaterThan(0);
  expect(blocks.flat().flatMap(({ shown }) => shown).length).toBeGreaterThan(0);
});

test.each(blocks.map((examples) => ({ examples, first: examples[0]?.command })))(
  'the example of the README that begins with $first runs as it is shown',
  ({ examples }) => {
    let folder = freshFolder();
    const home = join(tempFolder(), 'home');
    const env = { PATH: process.env['PATH'], HOME: home, OKA_HOME: home, NODE: process.execPath, PROGRAM };
    const startsDaemon = examples.some(({ command }) => command.includes('oka up'));
    // One that an example has left behind when it failed would outlive the test.
    if (startsDaemon)
      onTestFinished(() => void spawnSync(process.execPath, [PROGRAM, 'down'], { cwd: folder, env }));
    for (const { command, shown } of examples) {
      const line = command.replaceAll('<run>', '"$(newest_run)"');
      const script = `${PRELUDE}${line}\ncode=$?; pwd > "$HOME.pwd"; exit $code`;
      const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
        cwd: folder,
        env,
        encoding: 'utf8',
      });
      expect({ command, status }, stderr).toEqual({ command, status: 0 });
      for (const each of shown) expect(stdout, command).toMatch(patternOf(each));
      folder = resolve(readFileSync(`${home}.pwd`, 'utf8').trimEnd());
    }
  },
);
