import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bundleWorker } from '../support/bundle-worker.ts';
import { Watched, Workspace } from './oka-process.ts';

const files = (workspace: Workspace): readonly string[] =>
  (readdirSync(workspace.at('.oka'), { recursive: true }) as string[])
    .filter((name) => /(oka-new|part|new)$/.test(name))
    .sort();

test('the next command removes what a command left that was killed while it replaced a file', async () => {
  const program = await bundleWorker(join(import.meta.dirname, 'killed-write-program.ts'));
  const workspace = Workspace.trusted();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        'graphs/a.json',
        'graphs/versions/b.json',
        'config.json',
        'run/web.json',
        'memory/days/c.md',
      ),
      fc.nat(3),
      fc.constantFrom(['runs', 'list'], ['memory', 'fact', 'add', 'the gate is green']),
      async (file, parts, next) => {
        const path = workspace.at(`.oka/${file}`);
        const killed = new Watched([process.execPath, program, path, String(parts)], {
          cwd: workspace.root,
          env: workspace.environment,
        });
        expect((await killed.ended).signal).toBe('SIGKILL');
        expect(files(workspace)).toHaveLength(1);
        expect((await workspace.oka(...next)).exitCode).toBe(0);
        expect(files(workspace)).toEqual([]);
      },
    ),
    { numRuns: 8 },
  );
});
