import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../src/adapters/files/index.ts';
import {
  Engine,
  MemoryArtifactStore,
  MemoryRunStore,
  parseBudgets,
  type RunState,
  runProjection,
} from '../src/engine/index.ts';
import {
  compileGraph,
  type Diagnostic,
  findSchemaIssues,
  graphKind,
  graphStateProjection,
  MemoryGraphStateStore,
  parseGraphText,
  toStateGraph,
} from '../src/graph/index.ts';
import type { Json, JsonObject } from '../src/kernel/index.ts';
import { MemoryEventStore } from '../src/ledger/index.ts';
import { ScriptedProvider } from '../src/models/index.ts';
import { builtInTools } from '../src/tools/index.ts';
import { ManualClock } from './support/manual-clock.ts';
import { seededRandom } from './support/seeded-random.ts';
import { tempFolder } from './support/temp-folder.ts';

const GALLERY = fileURLToPath(new URL('../gallery/', import.meta.url));

const NAMES = readdirSync(GALLERY)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

/** A folder with files, and an engine in memory that runs the graphs of the gallery in it. */
class GalleryWorkspace {
  readonly root = tempFolder();
  readonly clock = new ManualClock();
  readonly engine: Engine;

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}, script?: string) {
    for (const [path, content] of Object.entries(files)) this.put(path, content);
    const { clock } = this;
    const random = seededRandom(1);
    const events = new MemoryEventStore({ clock, random, projections: [runProjection, graphStateProjection] });
    const runs = new MemoryRunStore(events.tables);
    const state = new MemoryGraphStateStore(events.tables);
    const artifacts = new MemoryArtifactStore(clock);
    const model = script === undefined ? undefined : new ScriptedProvider(readJson(`scripts/${script}`), clock);
    this.engine = new Engine({
      tools: builtInTools(),
      kinds: [graphKind],
      events,
      runs,
      artifacts,
      clock,
      random,
      capabilities: {
        files: new WorkspaceFiles(this.root),
        artifacts,
        state: { get: (graph: string, key: string) => state.get(graph, key) },
        models: { find: async () => ({ provider: model, model: 'scripted' }) },
      },
    });
  }

  put(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  names(folder = '.'): string[] {
    return readdirSync(join(this.root, folder)).sort();
  }

  /** Runs a graph of the gallery; timers are let pass, questions stay open. */
  async run(name: string, input: Json = null): Promise<RunState> {
    const { graph } = compile(name);
    if (graph === undefined) throw new Error(`${name} does not compile`);
    const { definition } = graph;
    expect(findSchemaIssues(definition.input_schema ?? {}, input)).toEqual([]);
    const run = await this.engine.run(
      {
        kind: 'graph',
        goal: definition.name,
        graph: await toStateGraph(graph, (used) => this.engine.keepGraph(used)),
        subject: definition.id,
        vars: { input },
        budgets: parseBudgets(definition.execution_defaults.budgets ?? {}),
      },
      { patienceMs: 0 },
    );
    return this.letTimePass(run);
  }

  /** Answers the open question of a run, or denies it, and goes on. */
  async answer(run: RunState, answer: string | undefined): Promise<RunState> {
    const { id } = run.waiting as { id: string };
    const decision = answer === undefined ? { kind: 'deny' as const } : { kind: 'answer' as const, answer };
    await this.engine.decide(id, decision, 'ann');
    return this.engine.resume(run.id, { patienceMs: 0 });
  }

  async eventTypes(run: RunState): Promise<string[]> {
    return (await this.engine.events(run.id)).map(({ type }) => type);
  }

  async letTimePass(run: RunState): Promise<RunState> {
    let driven = run;
    for (let turns = 0; turns < 50 && isTimed(driven); turns++) {
      this.clock.advance(60_000);
      driven = await this.engine.resume(driven.id, { patienceMs: 0 });
    }
    return driven;
  }
}

function isTimed({ waiting }: RunState): boolean {
  return waiting?.for === 'time' || (waiting?.for === 'outcome' && waiting.pending.kind === 'timer');
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(GALLERY, path.endsWith('.json') ? path : `${path}.json`), 'utf8'));
}

function compile(name: string): ReturnType<typeof compileGraph> {
  const { definition, diagnostics } = parseGraphText(readFileSync(join(GALLERY, `${name}.json`), 'utf8'));
  if (definition === undefined) return { diagnostics };
  const tools = new Map(builtInTools().map((tool) => [tool.name, tool]));
  return compileGraph(definition, {
    tools: {
      find(wanted) {
        const tool = tools.get(wanted);
        return tool && { name: wanted, inputSchema: () => tool.input.json(), ...tool.annotations };
      },
      names: () => [...tools.keys()],
    },
    graphs: { find: (wanted) => (NAMES.includes(wanted) ? readJson(wanted) : undefined) },
  });
}

describe('scratch', () => {
  it.each(NAMES)('%s', (name) => {
    expect(compile(name).diagnostics).toEqual([]);
  });

  it('todo', async () => {
    const w = new GalleryWorkspace({ 'README.md': '# Hello\n\nTODO: this <b>\nFIXME TODO both\ntodo no\n', 'a/b.ts': '// FIXME: x\n' });
    const r = await w.run('todo-collector');
    console.log(r.failure, r.output); console.log(w.text('TODOS.md'));
    const r2 = await w.run('todo-collector');
    console.log(r2.failure, r2.output);
    const e = new GalleryWorkspace();
    const r3 = await e.run('todo-collector');
    console.log(r3.failure, r3.output); console.log(e.text('TODOS.md'));
  });
  it('links', async () => {
    const w = new GalleryWorkspace({
     'README.md': '# Hello\n\n[a](docs/a.md) and [b](./docs/b.md#x "t"), [c](http://x.y) [d](#z)\n```\n[no](nowhere.md)\n```\n`[no](nowhere2.md)` [dir](docs/) [root](/docs/a.md)\n[ref]: missing.png\n',
     'docs/a.md': '[up](../README.md) [out](../../x.md) [sp](<with space.md>) [enc](with%20space.md) [gone](gone.md) [p](a_(b).md) [me](.)\n![i](bild%C3%A4.png) [bad](%ZZ.md)\n',
     'docs/with space.md': 'x', 'docs/a_(b).md': 'y', 'docs/bildä.png': 'z',
     'docs/bad.md': new Uint8Array([0xff, 0xfe, 0x00]) });
    const r = await w.run('link-checker');
    console.log(r.failure, JSON.stringify(r.output, null, 1)); console.log(JSON.stringify(r.evidence.find((e)=>e.tool==='engine.run_children')?.output, null, 1));
    console.log((await w.run('link-checker', {path: 'docs'})).output);
    const e = new GalleryWorkspace();
    const r3 = await e.run('link-checker');
    console.log(r3.failure, r3.output);
    const o = new GalleryWorkspace({'a.md': '[x](b.md)'});
    const r4 = await o.run('link-checker');
    console.log(r4.failure, r4.output);
  });
  it('log', async () => {
    const w = new GalleryWorkspace({'app.log': '2026-01-01 INFO start ERROR no\n[WARN] slow 12\nERROR: cannot open 12\nERROR: cannot open 13\nFATAL | gone <x>\nplain\n'});
    const r = await w.run('log-summary', { path: 'app.log' });
    console.log(r.failure, JSON.stringify(r.output));
    const r2 = await w.run('log-summary', { path: 'app.log', threshold: 1 });
    console.log(r2.waiting);
    const r3 = await w.answer(r2, 'write');
    console.log(r3.failure, JSON.stringify(r3.output)); console.log(w.text('LOG-REPORT.md'));
    console.log((await w.answer(await w.run('log-summary', { path: 'app.log', threshold: 1 }), 'skip')).output);
    const d = (await w.answer(await w.run('log-summary', { path: 'app.log', threshold: 1 }), undefined));
    console.log(d.output, d.failure);
    const z = new GalleryWorkspace({'app.log': ''});
    const r5 = await z.run('log-summary', { path: 'app.log' });
    console.log(r5.failure, JSON.stringify(r5.output));
  });
  it('index', async () => {
    const w = new GalleryWorkspace({'notes/a b.md': '---\nx: 1\n---\n# A | title\n\nThis is first. Second.\n', 'notes/c.txt': 'no heading here', 'notes/bad.md': new Uint8Array([0xff]), 'x.ts': 'no'});
    const r = await w.run('notes-index', { report: 'out/INDEX.md' });
    console.log(r.failure, JSON.stringify(r.output)); console.log(w.text('out/INDEX.md'));
    const z = new GalleryWorkspace();
    const r5 = await z.run('notes-index');
    console.log(r5.failure, JSON.stringify(r5.output));
  });
  it('fallback', async () => {
    const w = new GalleryWorkspace({'in.csv': 'a\nb\n'});
    console.log((await w.run('read-with-fallbacks', { path: 'in.csv' })).output);
    const r = await w.run('read-with-fallbacks', { path: 'no.csv' });
    console.log(r.failure, r.output, await w.eventTypes(r));
    w.put('no.csv.old', 'x');
    console.log((await w.run('read-with-fallbacks', { path: 'no.csv' })).output);
  });
  it('models', async () => {
    const w = new GalleryWorkspace({'n.md': 'The export crashes.', 'i.md': 'It could remember.', 'o.md': 'hello'}, 'triage-note');
    const r = await w.run('triage-note', { path: 'n.md' });
    console.log(r.failure, r.output, await w.eventTypes(r)); console.log(w.text((r.output as any).path));
    const r2 = await w.run('triage-note', { path: 'n.md' });
    console.log(r2.failure, r2.output);
    const r3 = await w.run('triage-note', { path: 'i.md' });
    console.log(r3.failure, r3.output); console.log(w.text((r3.output as any).path));
    console.log((await w.run('triage-note', { path: 'o.md' })).output);
    const c = new GalleryWorkspace({'changes/1.md': 'SVG', 'changes/2.md': 'Fix'}, 'changelog-draft');
    const r4 = await c.run('changelog-draft');
    console.log(r4.failure, r4.output, c.text('CHANGELOG-DRAFT.md'));
    mkdirSync(join(c.root, 'none'));
    console.log((await c.run('changelog-draft', {folder: 'none'})).output);
  });
});
