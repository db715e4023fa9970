import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../src/adapters/models/read-json.ts';
import { isServed, OPERATIONS } from '../../src/api/operations.ts';
import { loadConfig } from '../../src/config/index.ts';
import { parseGraphText } from '../../src/graph/parse-graph-text.ts';
import {
  canonicalForm,
  canonicalJson,
  createRedactor,
  isOkaError,
  parseJson,
  toJson,
} from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { Workspace } from '../cli/oka-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DEPTH = 20_000;
const LIST = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
const OBJECT = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`;
const DEEP = [LIST, OBJECT];

/** The code of the error; anything but an error with a code is a failure of the test. */
async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return isOkaError(error) ? error.code : `${error}`;
  }
  return 'no error';
}

describe('JSON nested 20,000 deep', () => {
  it('is a syntax error to every reader of JSON from outside, and never written', async () => {
    for (const text of DEEP) {
      expect(() => parseJson(text)).toThrow('nested deeper than 1,000 levels');
      expect(readJson(text)).toBeUndefined();
      const value: unknown = JSON.parse(text);
      expect(await codeOf(() => canonicalJson(value))).toBe('kernel.not_canonical');
      expect(await codeOf(() => canonicalForm(value))).toBe('kernel.not_canonical');
      expect(typeof toJson(value)).toBe('string');
    }
    expect(parseJson(`${'['.repeat(900)}${']'.repeat(900)}`)).toBeInstanceOf(Array);
  });

  it('in a graph is a diagnostic with a position', () => {
    for (const text of DEEP) {
      const { diagnostics, definition } = parseGraphText(text);
      expect(definition).toBeUndefined();
      expect(diagnostics).toMatchObject([
        { code: 'graph.too_deep', message: expect.stringContaining('nested deeper') },
      ]);
    }
  });

  it('in a configuration is malformed', async () => {
    const file = join(tempFolder(), 'config.json');
    for (const text of DEEP) {
      writeFileSync(file, text);
      expect(await codeOf(() => loadConfig({ user: file }))).toBe('config.malformed');
      writeFileSync(file, `{"limits":${text}}`);
      expect(await codeOf(() => loadConfig({ project: file }))).toBe('config.malformed');
    }
  });

  it('in a text passes the redactor as text', () => {
    const redactor = createRedactor();
    redactor.addSecret('key', 'tK9xQw37Zp52RbLm');
    expect(redactor.text(LIST)).toBe(LIST);
  });

  it('in a workspace gives an error with a code, as an input of a tool and in its files', async () => {
    const [workspace, home] = [tempFolder(), tempFolder()];
    const oka = new Oka({ workspace, home });
    try {
      await oka.init({ trust: true });
      mkdirSync(join(workspace, '.oka/graphs'), { recursive: true });
      writeFileSync(join(workspace, 'deep.json'), LIST);
      writeFileSync(join(workspace, '.oka/graphs/deep.json'), OBJECT);
      const read = await oka.tools.call({
        tool: 'files.read',
        input: { path: 'deep.json' },
        simulate: false,
        patienceMs: 0,
      });
      expect(JSON.stringify(read)).toContain('[[[[');
      const value = JSON.parse(OBJECT);
      for (const input of [value, { path: 'x', content: value }, { path: value }]) {
        const code = await codeOf(async () => {
          const answer = await oka.tools.call({ tool: 'files.write', input, simulate: false, patienceMs: 0 });
          if (answer.run.failure !== undefined) throw Object.assign(new Error(answer.run.failure.code), {});
        });
        expect(code).toMatch(/^(Error: )?[a-z]+\.[a-z_]+$/);
        expect(code).not.toContain('unexpected');
      }
      const graph = await codeOf(() => oka.graphs.validate({ file: '.oka/graphs/deep.json' } as never));
      expect(graph).not.toContain('Maximum call stack');
    } finally {
      await oka.close();
    }
  });
});

it('every operation that a daemon serves is listed', () => {
  expect(Object.keys(OPERATIONS).filter(isServed).length).toBeGreaterThan(50);
});

describe('the command line', () => {
  it.each([
    ['tools', 'call', 'files.list'],
    ['policy', 'explain', 'files.list'],
  ])('refuses it as an argument of %s %s', async (...args) => {
    const place = Workspace.trusted();
    const { exitCode, error } = await place.refusal(...args, LIST);
    expect([error.code, exitCode]).toEqual(['cli.invalid_json', 3]);
  });

  it('refuses it as a graph file, an .mcp.json and a configuration', async () => {
    const place = Workspace.trusted({ files: { 'deep.json': OBJECT, '.mcp.json': LIST } });
    const graph = await place.oka('graph', 'validate', 'deep.json', '--json');
    expect(graph.stdout + graph.stderr).toContain('graph.too_deep');
    expect((await place.refusal('mcp', 'list')).error.code).toBe('config.malformed');
    place.put('.oka/config.json', LIST);
    expect((await place.refusal('do', 'x')).error.code).toBe('config.malformed');
  });
});
