import { expect } from 'vitest';
import type { RunAnswer } from '../../../src/api/index.ts';
import type { Workspace } from '../../cli/oka-process.ts';
import type { InstalledOka, InstalledOptions } from '../installed-oka.ts';

/** What the tests of an area work with: the installation, and workspaces whose `oka` runs on the Node at hand. */
export interface Area {
  readonly oka: () => InstalledOka;
  readonly open: (options?: InstalledOptions) => Promise<Workspace>;
  /** The files that its processes loaded, and the messages of their threads. */
  readonly recorded: () => readonly string[];
}

/** Lets the person's own policy allow all that may be allowed. */
export function allowAll(workspace: Workspace): void {
  workspace.putAtHome(
    'POLICY.md',
    '| match | decision | why |\n|---|---|---|\n| * and any input | allow | a test |\n',
  );
}

/** Calls a tool, approves it where somebody is asked, and answers with its output. */
export async function callTool(workspace: Workspace, tool: string, input: object): Promise<unknown> {
  let { data } = await workspace.answer<RunAnswer>('tools', 'call', tool, JSON.stringify(input));
  const approval = data.run.waitingFor?.approval;
  if (approval !== undefined) ({ data } = await workspace.answer('approvals', 'approve', approval));
  expect(data.run, JSON.stringify(data.run.failure)).toMatchObject({ status: 'completed' });
  return data.output;
}

/** A command that must succeed; answers with what it printed. */
export async function succeed(workspace: Workspace, ...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await workspace.oka(...args);
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }, `oka ${args.join(' ')}`).toEqual({
    exitCode: 0,
    stderr: '',
  });
  return stdout;
}

/** A graph that answers with what it was given. */
export function echoGraph(id: string): string {
  return JSON.stringify({
    id,
    name: `the graph ${id}`,
    version: 1,
    start: 'start',
    execution_defaults: { guarantee_mode: 'bounded' },
    nodes: [
      { node_id: 'start', type: 'start', next: 'a' },
      { node_id: 'a', type: 'transform', expression: '{"got": $}', next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
  });
}

/** The model of a workspace that plays a script. */
export const SCRIPTED = { models: { actor: { provider: 'scripted', script: 'script.json' } } };

export function script(...turns: readonly object[]): string {
  return JSON.stringify({ turns });
}
