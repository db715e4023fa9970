import { expect, test } from 'vitest';
import type { LedgerEvent, TextEvent } from './events.ts';
import { collectTexts } from './live-text.ts';

function texts() {
  let say: (event: TextEvent) => void = () => undefined;
  let tell: (event: LedgerEvent) => void = () => undefined;
  const store = collectTexts({
    onText: (listener) => {
      say = listener;
      return () => undefined;
    },
    onLedger: (listener) => {
      tell = listener;
      return () => undefined;
    },
  });
  const place = { run: 'r', conversation: 'talk' };
  return {
    of: (run: string) => store.get().get(run),
    say: (text: string) => say({ ...place, text }),
    tell: (type: string, data: unknown = {}) =>
      tell({ ...place, position: 1, stream: 'run/r', type, at: 1, data }),
  };
}

test('pieces are joined, and a new call starts over', () => {
  const { of, say, tell } = texts();
  tell('run.started');
  say('I look ');
  say('it up');
  expect(of('r')).toEqual({ text: 'I look it up', isWhole: true });
  tell('step.completed', { kind: 'call_tool' });
  say('It is dry.');
  tell('step.completed', { kind: 'transition' });
  expect(of('r')).toEqual({ text: 'It is dry.', isWhole: true });
});

test('an answer that started earlier is incomplete', () => {
  const { of, say } = texts();
  say('the end');
  expect(of('r')).toEqual({ text: 'the end', isWhole: false });
});
