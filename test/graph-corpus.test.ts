import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileGraph, DIAGNOSTIC_CODES, type Diagnostic, parseGraphText } from '../src/graph/index.ts';
import { corpus, graphs, readCorpus, tools } from './graph-corpus/directories.ts';

type Expected = Readonly<Record<string, readonly { code: string; path: string; severity?: 'warning' }[]>>;

const expected = JSON.parse(readFileSync(join(corpus, 'expected.json'), 'utf8')) as Expected;
const valid = readCorpus('valid');
const broken = readCorpus('broken');

function diagnose(text: string): { compiled: boolean; diagnostics: readonly Diagnostic[] } {
  const parsed = parseGraphText(text);
  if (parsed.definition === undefined) return { compiled: false, diagnostics: parsed.diagnostics };
  const { graph, diagnostics } = compileGraph(parsed.definition, { tools, graphs });
  return { compiled: graph !== undefined, diagnostics };
}

const line = ({ code, path, severity }: { code: string; path: string; severity?: string }): string =>
  `${severity ?? 'error'} ${code} ${path}`;

const lines = (entries: readonly Parameters<typeof line>[0][] | undefined): string[] | undefined =>
  entries?.map(line).sort();

describe('the corpus of graphs', () => {
  it.each(broken)('broken: %s', (name, text) => {
    const { compiled, diagnostics } = diagnose(text);
    expect(lines(diagnostics)).toEqual(lines(expected[name]));
    expect(compiled).toBe(false);
  });

  it.each(valid)('valid: %s', (name, text) => {
    const { compiled, diagnostics } = diagnose(text);
    expect(lines(diagnostics)).toEqual(lines(expected[name]));
    expect(compiled).toBe(true);
  });

  it('has an expectation for each file and a file for each expectation', () => {
    const names = [...valid, ...broken].map(([name]) => name);
    expect(names.toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  it('has only documented codes, and each message is a full sentence', () => {
    for (const [, text] of [...valid, ...broken]) {
      for (const { code, message, suggestion } of diagnose(text).diagnostics) {
        expect(Object.keys(DIAGNOSTIC_CODES)).toContain(code);
        expect(message).toMatch(/\.$/);
        expect(suggestion ?? 'None.').toMatch(/[.?]$/);
      }
    }
  });

  it('produces every code that a file can produce', () => {
    const seen = new Set(Object.values(expected).flatMap((entries) => entries.map(({ code }) => code)));
    const onlyBySize = ['graph.too_deep', 'graph.too_large'];
    expect(Object.keys(DIAGNOSTIC_CODES).filter((code) => !seen.has(code))).toEqual(onlyBySize);
  });

  it.each([
    ['lists', (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`],
    ['objects', (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
  ])('refuses %s nested a hundred thousand deep', (_, nest) => {
    const { diagnostics } = diagnose(
      `{"nodes": [{"node_id": "a", "type": "end", "input": ${nest(100_000)}}]}`,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['graph.too_deep']);
  });
});
