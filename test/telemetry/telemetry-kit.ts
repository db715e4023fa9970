import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type { RunAnswer } from '../../src/api/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { trustFolder } from '../support/trust-folder.ts';

const GRAPH = { version: 1, start: 'start', execution_defaults: { guarantee_mode: 'bounded' } };

/** A graph that runs another one, which reads a file. */
export const GRAPHS = {
  '.oka/graphs/outer.json': JSON.stringify({
    ...GRAPH,
    ...{ id: 'outer', name: 'outer' },
    nodes: [
      { node_id: 'start', type: 'start', next: 'inside' },
      { node_id: 'inside', type: 'subgraph', graph: 'inner', next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
  }),
  '.oka/graphs/inner.json': JSON.stringify({
    ...GRAPH,
    ...{ id: 'inner', name: 'inner' },
    nodes: [
      { node_id: 'start', type: 'start', next: 'read' },
      {
        node_id: 'read',
        type: 'tool',
        tool: 'files.read',
        args: { path: 'notes.md' },
        timeout_seconds: 60,
        max_retries: 0,
        next: 'end',
      },
      { node_id: 'end', type: 'end' },
    ],
  }),
};

export interface TestOka {
  readonly oka: Oka;
  readonly workspace: string;
  readonly home: string;
  readonly warnings: readonly string[];
  readonly do: (goal: string, model?: string) => Promise<RunAnswer>;
  readonly graph: (id: string) => Promise<RunAnswer>;
  /** Another process on the same workspace. */
  readonly again: () => TestOka;
}

interface Options {
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: object;
  readonly projectConfig?: object;
  readonly workspace?: string;
  readonly home?: string;
}

/** Oka in this process on a trusted workspace; closed with the test. */
export function openOka(options: Options = {}): TestOka {
  const { workspace = tempFolder(), home = join(tempFolder(), 'home') } = options;
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  new WorkspaceFolder(workspace).create();
  for (const [path, content] of Object.entries(options.files ?? {})) put(join(workspace, path), content);
  if (options.projectConfig)
    put(join(workspace, '.oka', 'config.json'), JSON.stringify(options.projectConfig));
  if (options.config) put(join(home, 'config.json'), JSON.stringify(options.config));
  trustFolder(home, workspace);
  const warnings: string[] = [];
  const oka = new Oka({ workspace, home, onWarning: ({ message }) => warnings.push(message) });
  onTestFinished(() => oka.close());
  return {
    ...{ oka, workspace, home, warnings },
    do: (goal, model) =>
      oka.do({
        goal,
        budgets: {},
        simulate: false,
        patienceMs: 0,
        ...(model === undefined ? {} : { model }),
      }),
    graph: (graph) =>
      oka.graphs.run({ graph, input: {}, vars: {}, budgets: {}, simulate: false, patienceMs: 0 }),
    again: () => openOka({ workspace, home }),
  };
}
