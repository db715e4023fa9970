import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../test/support/build-tools.ts';
import { type Json, renderTemplate } from '../../kernel/index.ts';
import { promoteRun, type TracedAction } from './promote-run.ts';

const about = { id: 'again', name: 'Again' };
const copying = { id: 'again', name: 'copy a.md to b.md' };

function action(tool: string, input: Json, output: Json): TracedAction {
  return { state: 'act', tool, input, output };
}

function argsOf(trace: readonly TracedAction[]): unknown[] {
  return promoteRun(trace, about).nodes.flatMap((node) => (node.type === 'tool' ? [node.args] : []));
}

describe('promoteRun', () => {
  const text = 'a text that is long enough';
  const read = action('files.read', { path: 'a.md' }, { path: 'a.md', content: text, bytes: 26 });

  it('makes a graph that compiles, one node for each call', () => {
    const graph = promoteRun(
      [read, action('files.write', { path: 'b.md', content: text }, {}), read],
      copying,
    );
    expect(compile(graph).diagnostics).toEqual([]);
    expect(graph.nodes.map(({ node_id }) => node_id)).toEqual([
      'start',
      'files_read',
      'files_write',
      'files_read_2',
      'end',
    ]);
  });

  it('makes a template of a value that equals an earlier output', () => {
    const write = action('files.write', { path: 'b.md', content: text }, {});
    expect(promoteRun([read, write], copying).nodes[2]).toMatchObject({
      args: { path: 'b.md', content: '{{files_read.content}}' },
    });
  });

  it('turns whole objects and lists into templates, but refuses list elements, because these may differ in the next run', () => {
    const row = { id: 1, name: 'x' };
    const found = action('files.search', { query: 'x' }, { matches: [row, { id: 2 }] });
    const used = action('mail.send', { body: row }, {});
    expect(() => argsOf([found, used])).toThrowError(/mail_send\.body\.id/);
    const all = action('mail.send', { body: [row, { id: 2 }] }, {});
    expect(argsOf([found, all])[1]).toEqual({ body: '{{files_search.matches}}' });
  });

  it.each<[string, TracedAction[], Json]>([
    ['is short', [action('a', {}, { word: 'short' })], 'short'],
    ['comes from two places', [action('a', {}, { x: text, y: text })], text],
    ['was also a constant of another input', [action('a', { value: text }, { y: text })], text],
    ['is a number', [action('a', {}, { x: 123_456_789 })], 123_456_789],
    ['has a key that no path can name', [action('a', {}, { 'x.y': text })], text],
    ['is only a part of a text', [action('a', {}, { x: text })], `${text}!`],
    ['is a text of a planner', [action('a', {}, { x: 1 })], '1 thing was found.'],
    [
      'is stated by the goal and is also the content of an output',
      [action('a', {}, { x: 'Again' })],
      'Again',
    ],
    ['follows a call that failed', [{ ...action('a', {}, null), output: undefined }], 'a message'],
  ])('refuses a value that %s, and keeps it on request', (_, before, value) => {
    const trace = [...before, action('b', { value }, null)];
    expect(() => argsOf(trace)).toThrowError(
      expect.objectContaining({
        code: 'graph.cannot_promote',
        message: expect.stringMatching(/b\.value.*oka graph build "Again".*--keep b\.value/),
      }),
    );
    const kept = promoteRun(trace, { ...about, keep: ['b.value'] }).nodes.at(-2);
    expect(kept).toMatchObject({ args: { value } });
  });

  it.each<[string, TracedAction[], Json]>([
    ['the goal states', [action('a', {}, { x: 'other' })], 'Again'],
    ['was known before any output', [action('a', { value: 'TODO' }, { value: 'TODO', n: 1 })], 'TODO'],
  ])('keeps a value that %s', (_, before, value) => {
    expect(argsOf([...before, action('b', { value }, null)]).at(-1)).toEqual({ value });
  });

  it('refuses a run without calls, and inputs that would be taken for templates', () => {
    expect(() => promoteRun([], about)).toThrowError(
      expect.objectContaining({ code: 'graph.cannot_promote' }),
    );
    expect(() => argsOf([action('files.write', { content: 'Dear {{name}}' }, {})])).toThrowError(
      /files\.write/,
    );
  });

  it('gives the same result as the original steps on new files, or refuses', () => {
    const runs = { promoted: 0, refused: 0 };
    fc.assert(
      fc.property(script, contents, contents, (steps, before, after) => {
        const goal = steps.map(({ from, to, constant }) => `${from} "${constant}" to ${to}`).join(' and ');
        const { trace } = perform(steps, before);
        let graph: ReturnType<typeof promoteRun>;
        try {
          graph = promoteRun(trace, { id: 'again', name: goal });
        } catch (error) {
          expect(error).toMatchObject({ code: 'graph.cannot_promote' });
          runs.refused += 1;
          return;
        }
        runs.promoted += 1;
        const files = { ...after };
        const scope: Record<string, Json> = {};
        for (const node of graph.nodes) {
          if (node.type !== 'tool') continue;
          const args = renderTemplate(node.args as Json, scope) as Record<string, Json>;
          scope[node.node_id] = TOOLS[node.tool as keyof typeof TOOLS](args, files);
        }
        expect(files).toEqual(perform(steps, after).files);
      }),
      { numRuns: 2_000, seed: 20 },
    );
    expect(Math.min(runs.promoted, runs.refused)).toBeGreaterThan(100);
  });
});

type FileTexts = Record<string, string>;

/** Tools of a small workspace. */
const TOOLS = {
  read: ({ path }: Record<string, Json>, files: FileTexts): Json => ({
    path: path as string,
    content: files[path as string] ?? '',
    bytes: (files[path as string] ?? '').length,
    lines: (files[path as string] ?? '').split(' '),
  }),
  upper: ({ text }: Record<string, Json>): Json => ({ result: String(text).toUpperCase() }),
  write: ({ path, content }: Record<string, Json>, files: FileTexts): Json => {
    files[path as string] = String(content);
    return { path: path as string, bytes: String(content).length };
  },
};

/** What a planner writes: the latest content, what a tool made of it, a part of it, a report on it, or a text of the goal. */
type Source = 'content' | 'tool' | 'part' | 'line' | 'count' | 'report' | 'goal';
interface Step {
  readonly from: string;
  readonly to: string;
  readonly source: Source;
  readonly constant: string;
}

const NAMES = ['a.txt', 'b.txt', 'c.txt'];
const TEXTS = [
  'a long text of one file',
  'a long text of another file',
  'short',
  '',
  'a.txt',
  'greetings',
  '7 8',
];
const contents: fc.Arbitrary<FileTexts> = fc.record({
  'a.txt': fc.constantFrom(...TEXTS),
  'b.txt': fc.constantFrom(...TEXTS),
  'c.txt': fc.constantFrom(...TEXTS),
});
const script: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    from: fc.constantFrom(...NAMES),
    to: fc.constantFrom('x.md', 'y.md', ...NAMES),
    source: fc.constantFrom<Source>(
      'content',
      'content',
      'tool',
      'tool',
      'part',
      'line',
      'count',
      'report',
      'goal',
    ),
    constant: fc.constantFrom('greetings', 'hello there', 'TODO'),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Runs the steps as a planner would. */
function perform(steps: readonly Step[], start: FileTexts): { trace: TracedAction[]; files: FileTexts } {
  const files = { ...start };
  const trace: TracedAction[] = [];
  const call = (tool: keyof typeof TOOLS, input: Record<string, Json>): Record<string, Json> => {
    const output = TOOLS[tool](input, files);
    trace.push(action(tool, input, output));
    return output as Record<string, Json>;
  };
  for (const { from, to, source, constant } of steps) {
    const { content, lines } = call('read', { path: from }) as { content: string; lines: string[] };
    const text = {
      content: () => content,
      tool: () => String(call('upper', { text: content })['result']),
      part: () => content.slice(2, 14),
      line: () => lines[0] ?? '',
      count: () => String(lines.length),
      report: () => `There are ${lines.length} words.`,
      goal: () => constant,
    }[source]();
    call('write', { path: to, content: text });
  }
  return { trace, files };
}
