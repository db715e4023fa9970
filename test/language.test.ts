import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventView } from '../src/api/index.ts';
import { asObject, type Json, type JsonObject, sameJson } from '../src/kernel/index.ts';
import { Oka } from '../src/runtime/index.ts';
import { builtInTools } from '../src/tools/index.ts';

let folder: string;
let oka: Oka;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oka-language-'));
  mkdirSync(join(folder, 'docs'));
  for (const path of ['notes.md', 'docs/a.md', 'docs/b.md'])
    writeFileSync(join(folder, path), 'TODO hooks\n');
  oka = new Oka({ workspace: folder, home: join(folder, 'home') });
  await oka.init({ trust: true });
});

afterAll(async () => {
  await oka.close();
  rmSync(folder, { recursive: true, force: true });
});

type Call = readonly [tool: string, input: JsonObject];

/** The calls of a simulated `oka do`, without the defaults that the engine adds. */
async function callsOfDo(goal: string): Promise<Call[]> {
  const calls: Call[] = [];
  const onEvent = ({ data, body }: EventView): void => {
    const { tool, state } = asObject(data);
    const { input } = asObject(body);
    if (typeof tool === 'string' && (state === 'explore' || state === 'act'))
      calls.push([tool, withoutDefaults(tool, asObject(input))]);
  };
  await oka.do({ goal, simulate: true, budgets: {}, patienceMs: 0, onEvent });
  return sorted(calls);
}

/** The calls of the graph that `oka graph build --dry-run` shows; a wait node is a call of engine.wait. */
async function callsOfGraph(intent: string): Promise<Call[]> {
  const { definition } = await oka.graphs.build(intent, { dryRun: true });
  const nodes = (asObject(definition)['nodes'] as Json[]).map(asObject);
  return sorted(
    nodes.flatMap(({ type, tool, args, seconds }): Call[] => {
      if (type === 'wait') return [['engine.wait', { seconds: seconds ?? null }]];
      return type === 'tool' ? [[String(tool), asObject(args)]] : [];
    }),
  );
}

function withoutDefaults(name: string, input: JsonObject): JsonObject {
  const schema = builtInTools()
    .find((tool) => tool.name === name)
    ?.input.json();
  const properties = asObject(schema?.['properties']);
  const isDefault = (key: string, value: Json): boolean => {
    const usual = asObject(properties[key])['default'];
    return usual !== undefined && sameJson(usual, value);
  };
  return Object.fromEntries(Object.entries(input).filter(([key, value]) => !isDefault(key, value)));
}

/** Steps that only read may run at the same time, in any order. */
function sorted(calls: readonly Call[]): Call[] {
  return [...calls].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const read = (path: string): Call => ['files.read', { path }];
const list = (path: string): Call => ['files.list', { path }];
const search = (query: string, path?: string): Call => ['files.search', path ? { query, path } : { query }];
const write = (content: string, path = 'new.md'): Call => ['files.write', { path, content }];
const move: Call = ['files.move', { from: 'notes.md', to: 'docs/notes.md' }];
const remove: Call = ['files.delete', { path: 'notes.md' }];
const run: Call = ['process.run', { argv: ['node', '--version'] }];
const address = 'http://127.0.0.1:9/x';
const fetched: Call = ['http.fetch', { url: address }];

describe('oka do and oka graph build', () => {
  it.each<[string, Call[]]>([
    ['read notes.md', [read('notes.md')]],
    ['show notes.md', [read('notes.md')]],
    ['cat notes.md', [read('notes.md')]],
    ['display "notes.md"', [read('notes.md')]],
    ['load ./notes.md', [read('notes.md')]],
    ['please could you open notes.md', [read('notes.md')]],
    ['list docs', [list('docs')]],
    ['ls docs', [list('docs')]],
    ['show docs/a.md, please. Thanks!', [read('docs/a.md')]],
    ['move notes.md to docs/notes.md', [move]],
    ['mv notes.md to docs/notes.md', [move]],
    ['rename notes.md to docs/notes.md', [move]],
    ['delete notes.md', [remove]],
    ['rm notes.md', [remove]],
    ['search for "TODO" in docs', [search('TODO', 'docs')]],
    ['grep for error handling in docs', [search('error handling', 'docs')]],
    ['search for how to configure hooks in docs', [search('configure hooks', 'docs')]],
    ['search hooks with limit 5', [['files.search', { query: 'hooks', limit: 5 }]]],
    ['write "hi" to new.md', [write('hi')]],
    ['save "two\nlines" as new.md', [write('two\nlines')]],
    ['create new.md with "hi"', [write('hi')]],
    [`download ${address}`, [fetched]],
    [`get ${address}`, [fetched]],
    ['run "node --version"', [run]],
    ['execute `node --version`', [run]],
    ['sleep 2 minutes', [['engine.wait', { seconds: 120 }]]],
    ['remember "the sky is blue"', [['memory.remember', { text: 'the sky is blue' }]]],
    ['read notes.md, then list docs', [read('notes.md'), list('docs')]],
    ['read notes.md and list docs', [read('notes.md'), list('docs')]],
    ['cat notes.md afterwards ls docs', [read('notes.md'), list('docs')]],
    ['read notes.md. list docs', [read('notes.md'), list('docs')]],
    ['1. read notes.md\n2. list docs', [read('notes.md'), list('docs')]],
    ['show docs/a.md, docs/b.md and notes.md', [read('docs/a.md'), read('docs/b.md'), read('notes.md')]],
    ['read docs/a.md as well as docs/b.md', [read('docs/a.md'), read('docs/b.md')]],
    [
      'search for "old, then new" in docs; after that write "x and y" to new.md',
      [search('old, then new', 'docs'), write('x and y')],
    ],
  ])('make the same calls for: %s', async (phrase, expected) => {
    expect(await callsOfDo(phrase)).toEqual(sorted(expected));
    expect(await callsOfGraph(phrase)).toEqual(sorted(expected));
  });

  it.each(['tell me the weather', 'call bob', 'start the server', 'make me a sandwich'])(
    'both refuse a goal that no tool covers: %s',
    async (phrase) => {
      const { run } = await oka.do({ goal: phrase, simulate: true, budgets: {}, patienceMs: 0 });
      expect(run.failure?.code).toBe('agent.goal_not_understood');
      await expect(callsOfGraph(phrase)).rejects.toMatchObject({ code: 'graph.cannot_place' });
    },
  );
});
