import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../src/engine/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { draftsKit, snapshot } from './drafts-kit.ts';
import { withoutSandbox } from './programs-kit.ts';

const NAMES = ['a', 'b', 'c', "d'e f", '-x', 'ü'];
const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));
const word = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const file = (text: string): string => word(`./${text}`);

/** One line of a program. Lines that fail change nothing, or half of what they wanted, like in any program. */
const line: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(path, fc.constantFrom('one', 'two')).map(([p, t]) => `echo ${t} > ${file(p)}`),
  },
  { weight: 2, arbitrary: path.map((p) => `echo more >> ${file(p)}`) },
  { weight: 3, arbitrary: path.map((p) => `mkdir -p ${file(p)}`) },
  { weight: 3, arbitrary: path.map((p) => `rm -rf ${file(p)}`) },
  { weight: 2, arbitrary: fc.tuple(path, path).map(([a, b]) => `mv ${file(a)} ${file(b)}`) },
  { weight: 1, arbitrary: fc.tuple(path, path).map(([a, b]) => `cp -r ${file(a)} ${file(b)}`) },
  { weight: 1, arbitrary: fc.tuple(path, path).map(([a, b]) => `ln ${file(a)} ${file(b)}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), path)
      .map(([t, p]) => `rm -rf ${file(p)}; ln -s ${word(t)} ${file(p)}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('700', '640', '500', '755'), path)
      .map(([m, p]) => `chmod ${m} ${file(p)}`),
  },
  { weight: 1, arbitrary: path.map((p) => `truncate -s 100000 ${file(p)}`) },
  { weight: 1, arbitrary: path.map((p) => `touch ${file(p)}`) },
);

describe.skipIf(withoutSandbox)('random programs on drafts', () => {
  it('leave what they leave without a draft, and undo restores what was there', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.array(line, { minLength: 1, maxLength: 10 }),
        async (before, program) => {
          const { workspace, run, files, engine } = draftsKit();
          const script = (lines: readonly string[]): string => ['umask 022', ...lines, 'true'].join('\n');
          const plainly = (lines: readonly string[], cwd: string): void => {
            writeFileSync(join(cwd, 'run.sh'), script(lines));
            execFileSync('sh', ['run.sh'], { cwd, stdio: 'ignore' });
          };
          plainly(before, workspace);
          writeFileSync(join(workspace, 'run.sh'), script(program));
          const start = files();
          const plain = join(tempFolder(), 'plain');
          mkdirSync(plain);
          execFileSync('cp', ['-a', '--no-target-directory', workspace, plain]);
          plainly(program, plain);
          const done = await run(script(program));
          expect(statusOf(done)).toBe('completed');
          expect((done.output as { failure: unknown }).failure).toBeNull();
          expect(files()).toEqual(snapshot(plain));
          if (JSON.stringify(files()) === JSON.stringify(start)) return;
          const { changes } = await engine.undo(done.id, 'ann', { force: false });
          expect(changes).toMatchObject([{ restored: true }]);
          expect(files()).toEqual(start);
        },
      ),
      { numRuns: Number(process.env['OKA_CASES'] ?? 10), endOnFailure: false },
    );
  });
});
