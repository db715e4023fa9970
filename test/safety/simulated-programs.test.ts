import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RunState, statusOf } from '../../src/engine/index.ts';
import { asObject, type Json } from '../../src/kernel/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { snapshot } from './drafts-kit.ts';
import { programLine, scriptOf, somePath } from './program-lines.ts';
import { withoutSandbox } from './programs-kit.ts';
import { type Step, simulatedSnapshot, stepsKit } from './simulated-kit.ts';

const shell = (text: string): readonly Step[] => [
  ['files.write', { path: 'run.sh', content: text }],
  ['process.run', { argv: ['sh', 'run.sh'] }],
];

const step: fc.Arbitrary<readonly Step[]> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(programLine, { minLength: 1, maxLength: 6 }).map((lines) => shell(scriptOf(lines))),
  },
  { weight: 1, arbitrary: somePath.map((path): Step[] => [['files.write', { path, content: 'written\n' }]]) },
  { weight: 1, arbitrary: somePath.map((path): Step[] => [['files.delete', { path }]]) },
  {
    weight: 1,
    arbitrary: fc.tuple(somePath, somePath).map(([from, to]): Step[] => [['files.move', { from, to }]]),
  },
);

/** What each step came to, without what differs between two runs. */
function outcomes(run: RunState): readonly Json[] {
  return (run.output as unknown as readonly { output?: Json; failure?: { code: string } }[]).map(
    ({ output, failure }) => {
      const { exitCode = null, stdout = null, changes = null } = asObject(output);
      return failure?.code ?? [exitCode, stdout, changes];
    },
  );
}

function workspaceWith(lines: readonly string[]): string {
  const workspace = join(tempFolder(), 'work');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'run.sh'), scriptOf(lines));
  execFileSync('sh', ['run.sh'], { cwd: workspace, stdio: 'ignore' });
  return workspace;
}

describe.skipIf(withoutSandbox)('a simulation of random programs', () => {
  it('foretells what a real run prints and leaves, and changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(programLine, { maxLength: 8 }),
        fc.array(step, { minLength: 1, maxLength: 4 }),
        async (before, steps) => {
          const workspace = workspaceWith(before);
          const copy = join(tempFolder(), 'work');
          execFileSync('cp', ['-a', workspace, copy]);
          const start = snapshot(workspace);
          const { run, overlay, drafts } = stepsKit(workspace, { simulate: true });
          const simulated = await run(...steps.flat());
          const real = await stepsKit(copy).run(...steps.flat());
          expect([statusOf(simulated), statusOf(real)]).toEqual(['completed', 'completed']);
          expect(outcomes(simulated)).toEqual(outcomes(real));
          expect(await simulatedSnapshot(overlay, workspace)).toEqual(snapshot(copy));
          expect(snapshot(workspace)).toEqual(start);
          expect(
            existsSync(drafts) ? readdirSync(drafts).filter((name) => !name.startsWith('draft-probe')) : [],
          ).toEqual([]);
        },
      ),
      { numRuns: Number(process.env['OKA_CASES'] ?? 8), endOnFailure: false },
    );
  });
});
