import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asObject, type Json, type JsonObject } from '../src/kernel/index.ts';
import { Oka } from '../src/runtime/index.ts';
import { builtInTools } from '../src/tools/index.ts';

let folder: string;
let oka: Oka;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oka-simulated-'));
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(folder, name), 'one\n');
  oka = new Oka({ workspace: folder, home: join(folder, 'home') });
  await oka.init({ trust: true });
});

afterAll(async () => {
  await oka.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Values that many tools accept, by the name of the field. */
const KNOWN: JsonObject = {
  path: 'a.txt',
  from: 'a.txt',
  to: 'c.txt',
  old: 'one',
  argv: ['node', '--version'],
  url: 'https://example.org/',
  method: 'POST',
  paths: ['a.txt', 'b.txt'],
  text: 'a text',
};

/** The smallest value that a schema names, with the known values of fields. */
function sampleOf(schema: JsonObject, name = ''): Json {
  const known = KNOWN[name];
  const { type, items, minItems } = schema;
  if (known !== undefined) return type === 'array' && !Array.isArray(known) ? [known] : known;
  const choice = [schema['anyOf'], schema['oneOf']].find(Array.isArray) as Json[] | undefined;
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return (schema['enum'] as Json[])[0] ?? null;
  if (choice !== undefined) return sampleOf(asObject(choice[0]), name);
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(asObject(schema['properties']))
          .filter(([key]) => ((schema['required'] ?? []) as Json[]).includes(key) || key in KNOWN)
          .map(([key, field]) => [key, sampleOf(asObject(field), key)]),
      );
    case 'array':
      return Number(minItems ?? 0) > 0 ? [sampleOf(asObject(items), name)] : [];
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1);
    case 'boolean':
      return true;
    default:
      return 'a text';
  }
}

test.each(builtInTools().filter(({ sideEffect }) => sideEffect !== 'read'))(
  'a simulated call of $name is listed as an effect, or as one that would be refused or fail',
  async ({ name, input }) => {
    const call = { tool: name, input: sampleOf(input.json()), simulate: true, patienceMs: 0 };
    const { effects = [], wouldFail = [] } = await oka.tools.call(call);
    expect([...effects, ...wouldFail].map(({ tool }) => tool)).toEqual([name]);
    for (const { why } of wouldFail) expect(why).not.toBe('');
  },
);
