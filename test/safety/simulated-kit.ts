import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { OverlayFiles, WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { WorkspaceProcesses } from '../../src/adapters/processes/index.ts';
import { findProgram } from '../../src/adapters/processes/workspace-programs.ts';
import {
  MemoryArtifactStore,
  type Policy,
  type PolicyVerdict,
  type RunState,
  simulatedCalls,
} from '../../src/engine/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { builtInTools, type PathState } from '../../src/tools/index.ts';
import { call, finish, makeEngine, plannerOf } from '../support/engine-kit.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { snapshot } from './drafts-kit.ts';

/** A call of a tool. */
export type Step = readonly [tool: string, input: object];

interface StepsOptions {
  readonly simulate: boolean;
  readonly untrusted: boolean;
  /** `copy`: as on a machine that cannot mount overlays. */
  readonly drafts: 'usual' | 'copy';
  readonly sandbox: 'required' | 'off';
  readonly policy: Policy;
}

export const deciding = (decision: PolicyVerdict['decision']): Policy => ({
  version: '1',
  decide: () => ({ decision, rule: 'row', why: 'a test' }),
});
const ALLOWED = deciding('allow');

/** An engine that makes calls one after another in a workspace, for real or in a simulation. Programs work on drafts. */
export function stepsKit(
  workspace: string,
  {
    simulate = false,
    untrusted = false,
    policy = ALLOWED,
    drafts: kind = 'usual',
    sandbox = 'required',
  }: Partial<StepsOptions> = {},
) {
  const clock = new ManualClock();
  const real = new WorkspaceFiles(workspace);
  const overlay = new OverlayFiles(real);
  const artifacts = new MemoryArtifactStore(clock);
  const drafts = join(tempFolder(), 'drafts');
  const processes = new WorkspaceProcesses({
    ...{ workspace, toolFolders: [], sandbox, clock: systemClock, drafts },
    ...(simulate ? { simulated: overlay } : {}),
  });
  if (kind === 'copy') withoutOverlays(() => expect(processes.drafts.kind).toBe('copy'));
  const planner = plannerOf(({ evidence, vars }) => {
    const next = (vars['steps'] as unknown as readonly Step[])[evidence.length];
    return next === undefined ? finish(evidence) : call(...next);
  });
  const files = simulate ? overlay : real;
  const { engine } = makeEngine(planner, builtInTools(), {
    ...{ clock, artifacts, simulate, policy, capabilities: { processes, files, artifacts } },
  });
  const run = async (...steps: readonly Step[]): Promise<RunState> =>
    engine.run({
      ...{ kind: 'test', goal: 'test', vars: { steps: steps as never } },
      ...(untrusted ? { untrusted } : {}),
    });
  const listed = async () => {
    const { events, tools, capabilities } = engine.parts;
    return simulatedCalls(await events.readAfter(0, 10_000), tools, capabilities);
  };
  return { run, listed, overlay, drafts };
}

/** Hides the program that makes overlays possible while `work` looks for it. */
function withoutOverlays(work: () => void): void {
  const folder = tempFolder();
  for (const name of ['bwrap', 'mount', 'sh']) symlinkSync(findProgram(name) as string, join(folder, name));
  vi.stubEnv('PATH', folder);
  work();
  vi.unstubAllEnvs();
}

/** The workspace as a simulation would leave it, in the form of `snapshot`. */
export async function simulatedSnapshot(
  overlay: OverlayFiles,
  workspace: string,
): Promise<Readonly<Record<string, string>>> {
  const paths = new Set([...Object.keys(snapshot(workspace)), ...overlay.changedPaths()]);
  const found: Record<string, string> = {};
  for (const path of [...paths].sort()) {
    const state = await overlay.state(path, { repository: true });
    if (state !== undefined) found[path] = await describe(state, path, overlay);
  }
  return found;
}

async function describe(state: PathState, path: string, overlay: OverlayFiles): Promise<string> {
  if (state.kind === 'special') return 'special';
  if (state.kind === 'link') return `link ${state.target}`;
  const mode = state.mode.toString(8);
  if (state.kind === 'folder') return `folder ${mode}`;
  const { content } = await overlay.read(path, { repository: true });
  return `file ${mode} ${Buffer.from(content).toString('latin1')}`;
}
