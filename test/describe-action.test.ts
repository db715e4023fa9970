import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Action, ActionWordings, circumstancesOf, sharesLine } from '../src/api/describe-action.ts';
import { builtInTools } from '../src/tools/index.ts';

const wordings = new ActionWordings({ clip: (text) => text, duration: (ms) => `${ms} ms` });
const tools = builtInTools().map(({ name }) => name);
const input = { path: 'a.txt', from: ['a.txt'], to: 'b.txt', paths: ['a.txt'], argv: ['ls'], ids: ['1'] };

/** What a record may say about where an outcome comes from. */
const records = fc.constantFrom(
  { record: { reused: { run: '1', step: 1 } }, output: {} },
  { record: { cached: true }, output: {} },
  { record: { by: 'person' }, output: {} },
  { record: {}, output: { simulated: true } },
);

test('a call that was not made now is never told in the words of one that was made', () => {
  fc.assert(
    fc.property(fc.constantFrom(...tools), records, (tool, { record, output }) => {
      const result = 'simulated' in output ? { ...output, tool } : output;
      const action: Action = {
        tool,
        input,
        output: result,
        ...circumstancesOf(record, { tool, output: result }),
      };
      const made = wordings.actions([{ tool, input, output: result }]);
      const line = wordings.actions([action]);
      expect(action.origin).toBeDefined();
      expect(line.startsWith(made.split(' ')[0] ?? '')).toBe(false);
      expect(line).toContain(wordings.call(action));
      expect(sharesLine(action, action)).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test.each(tools)('a call of %s whose start was not seen claims no number and no target', (tool) => {
  expect(wordings.actions([{ tool, input: undefined, output: {} }])).toBe(`called ${tool}`);
});

test('a miss says what is there instead, a refusal that the call was not made', () => {
  const call = { tool: 'files.read', input: { path: 'a.txt' }, output: {} };
  expect(wordings.actions([{ ...call, miss: 'files.not_found' }])).toBe('looked for a.txt: not there');
  expect(wordings.actions([{ ...call, failure: 'no' }])).toBe('files.read a.txt failed');
  expect(wordings.actions([{ ...call, failure: 'no', isRefused: true }])).toBe(
    'files.read a.txt was refused',
  );
});

test('what a tool answers decides what it is said to have done', () => {
  const said = (tool: string, output: Action['output']): string =>
    wordings.actions([{ tool, input: { text: 'x', package: 'left-pad', ids: ['1', '2'] }, output }]);
  expect(said('memory.remember', { outcome: 'added' })).toBe('remembered x');
  expect(said('memory.remember', { outcome: 'known' })).toBe('already knew x');
  expect(said('environment.install', { fresh: false })).toBe('already installed: left-pad');
  expect(said('reminders.cancel', { cancelled: ['1'] })).toBe('cancelled 1 reminder');
});
