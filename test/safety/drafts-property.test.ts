import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../src/engine/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { draftsKit, snapshot } from './drafts-kit.ts';
import { lastLine, programLine, scriptOf } from './program-lines.ts';
import { withoutSandbox } from './programs-kit.ts';

type Files = Readonly<Record<string, string>>;

describe.skipIf(withoutSandbox)('random programs on drafts', () => {
  it('leave what they leave without a draft, and undo restores what was there', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(programLine, { maxLength: 8 }),
        fc.array(programLine, { minLength: 1, maxLength: 10 }),
        fc.array(lastLine, { maxLength: 3 }),
        async (before, lines, last) => {
          const program = [...lines, ...last];
          const { workspace, run, files, engine } = draftsKit();
          const plainly = (lines: readonly string[], cwd: string): void => {
            writeFileSync(join(cwd, 'run.sh'), scriptOf(lines));
            execFileSync('sh', ['run.sh'], { cwd, stdio: 'ignore' });
          };
          plainly(before, workspace);
          writeFileSync(join(workspace, 'run.sh'), scriptOf(program));
          const start = files();
          const plain = join(tempFolder(), 'plain');
          mkdirSync(plain);
          execFileSync('cp', ['-a', '--no-target-directory', workspace, plain]);
          plainly(program, plain);
          const done = await run(scriptOf(program));
          expect(statusOf(done)).toBe('completed');
          expect((done.output as { failure: unknown }).failure).toBeNull();
          expect(files()).toEqual(withoutPipes(snapshot(plain), start));
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

/** What a plain program left, less its pipes: what was in their place stays. */
function withoutPipes(left: Files, start: Files): Files {
  const pipes = Object.keys(left).filter((path) => left[path] === 'special');
  const isAt = (path: string): boolean => pipes.some((pipe) => path === pipe || path.startsWith(`${pipe}/`));
  const kept = [
    ...Object.entries(left).filter(([path]) => !isAt(path)),
    ...Object.entries(start).filter(([path]) => isAt(path)),
  ];
  return Object.fromEntries(kept);
}
