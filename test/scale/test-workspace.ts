import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';

/** A workspace, what tests write into it, and Oka on it in this process. */
export class TestWorkspace {
  readonly workspace: string;
  readonly home: string;
  readonly oka: Oka;

  constructor(places: { readonly workspace: string; readonly home: string }) {
    this.workspace = places.workspace;
    this.home = places.home;
    this.oka = new Oka(places);
  }

  put(path: string, content: string | object): void {
    const file = join(this.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** Writes an agent whose model is scripted. */
  agent(name: string, turns: readonly JsonObject[]): void {
    this.put(`scripts/${name}.json`, { turns });
    const head = `name: ${name}\nprovider: scripted\nscript: scripts/${name}.json`;
    this.put(`.oka/agents/${name}.md`, `---\n${head}\n---\nYou are ${name}.\n`);
  }

  /** Writes a graph whose nodes begin with a start and finish with an end. */
  graph(id: string, first: string, nodes: readonly JsonObject[]): void {
    this.put(`.oka/graphs/${id}.json`, {
      id,
      name: id,
      version: 1,
      start: 'start',
      execution_defaults: { guarantee_mode: 'flex' },
      nodes: [{ node_id: 'start', type: 'start', next: first }, ...nodes, { node_id: 'end', type: 'end' }],
    });
  }

  async run(graph: string, input: JsonObject = {}, key?: string) {
    const { run, output } = await this.oka.graphs.run({
      graph,
      input,
      simulate: false,
      budgets: {},
      ...(key === undefined ? {} : { key }),
    } as never);
    return { ...run, output };
  }
}
