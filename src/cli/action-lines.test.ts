import pc from 'picocolors';
import { expect, test } from 'vitest';
import type { EventView, Json } from '../api/index.ts';
import { ActionLines } from './action-lines.ts';

let seq = 0;
function event(type: string, data: Json, body: Json, at = 0): EventView {
  seq += 1;
  return { seq, index: seq, stream: 'run/1', type, at, actor: 'engine', data, body, chain: '' };
}

const called = (tool: string, input: Json, rest: object = {}): EventView =>
  event('step.completed', { kind: 'call_tool', tool, step: seq }, { input, ...rest } as Json);

function printed(...events: readonly EventView[]): { lines: string[]; actions: ActionLines } {
  const lines: string[] = [];
  const actions = new ActionLines(pc.createColors(false), (line) => lines.push(line));
  for (const one of events) {
    actions.started(one);
    actions.take(one);
  }
  return { lines, actions };
}

test('calls of one kind in a row share a line, and the same file counts once', () => {
  const { lines, actions } = printed(
    called('files.read', { path: 'a' }),
    called('files.read', { path: 'b' }),
    called('files.read', { path: 'b' }),
    called('files.list', { path: 'src' }),
  );
  expect(lines).toEqual(['  read 2 files']);
  expect(actions.pending).toBe('listed src');
});

test('a program shows its duration and its exit code', () => {
  const { lines } = printed(
    event('tool.intended', { tool: 'process.run', step: 1 }, { input: { argv: ['npm', 'test'] } }, 1_000),
    event('tool.completed', { tool: 'process.run', step: 1 }, { output: { exitCode: 1 } }, 9_100),
  );
  expect(lines).toEqual(['  ran npm test (8.1 s, exit 1)']);
});

test('a write shows the change that was recorded with its intent', () => {
  const lines = ['-old', ...Array.from({ length: 8 }, (_, i) => `+\tnew ${i}`)];
  const change = { added: 8, removed: 1, lines };
  const { lines: shown } = printed(
    event('tool.intended', { tool: 'files.write', step: 1 }, { input: { path: 'a' }, preimage: { change } }),
    event('tool.completed', { tool: 'files.write', step: 1 }, { output: {} }),
  );
  expect(shown.slice(0, 3)).toEqual(['  wrote a +8 −1', '      − old', '      +   new 0']);
  expect(shown.at(-1)).toBe('      … 3 more lines');
});

test('a failed call is dropped when the run fails with its message, and shown otherwise', () => {
  const failed = called(
    'files.read',
    { path: 'a' },
    { failure: { code: 'files.not_found', message: 'no a' } },
  );
  const { lines, actions } = printed(failed);
  actions.dropFailure('the node "read" failed: no a');
  expect(lines).toEqual([]);
  const shown = printed(failed, called('files.list', {}));
  shown.actions.flush();
  expect(shown.lines).toEqual(['  ✗ files.read a failed: no a', '  listed .']);
});

test('a call without an outcome, or one that was stopped, is interrupted', () => {
  const { lines, actions } = printed(
    event('tool.intended', { tool: 'process.run', step: 1 }, { input: { argv: ['make'] } }),
    event(
      'tool.failed',
      { tool: 'process.run', step: 1 },
      { failure: { code: 'engine.cancelled', message: 'x' } },
    ),
    event('tool.intended', { tool: 'http.fetch', step: 2 }, { input: { url: 'https://a.example' } }),
  );
  actions.flush();
  expect(lines).toEqual([]);
  expect(actions.interrupted).toEqual(['make', 'http.fetch https://a.example']);
});

test('control characters of a path are escaped', () => {
  const { lines, actions } = printed(called('files.read', { path: 'a\u001b[2Jb' }));
  actions.flush();
  expect(lines).toEqual(['  read a\\u{1b}[2Jb']);
});
