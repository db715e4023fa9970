import { expect, test } from 'vitest';
import { Told } from '../../../test/support/told.ts';
import type { ChatHappening, EventView, Json, OkaApi } from '../../api/index.ts';
import { RoomEvents } from './room-events.ts';

/** A conversation "garden"; `heard` lists the reported events in order. */
function garden(since = -1, claimed: readonly { agent: string; run: string }[] = []) {
  const talk = new Told<ChatHappening>();
  const ledger = new Told<EventView>();
  const heard: string[] = [];
  let asked: unknown;
  const api = {
    chat: {
      follow: (request: object) => {
        asked = request;
        return talk;
      },
      trace: async () => claimed,
    },
    ledger: { tail: () => ledger },
  } as unknown as OkaApi;
  const leaving = new AbortController();
  const following = new RoomEvents(api, 'garden', {
    since,
    listener: {
      onMessage: ({ id, from }) => heard.push(`#${id} ${from}`),
      onNotice: ({ what, message }) => heard.push(`#${message}: ${what}`),
      onWords: (from, text) => heard.push(`${from} says ${text}`),
      onActivity: (from, { model, output }) => heard.push(`${from} ${model ?? output}`),
      onTurn: (agent, run) => heard.push(`${agent} begins ${run}`),
      onTurnEnd: (agent, { how, reason, why }) =>
        heard.push([agent, how, reason, why].filter((part) => part !== undefined).join(' ')),
      onParked: (agent, until) => heard.push(until === undefined ? 'parked' : `${agent} until ${until}`),
      onStep: (agent, { type }) => heard.push(`${agent} ${type}`),
    },
  }).follow(leaving.signal);
  const event = (stream: string, type: string, data: Json = {}, more: object = {}): void =>
    ledger.tell({ seq: 0, stream, index: 0, type, at: 0, actor: 'x', data, chain: '', ...more });
  return {
    heard,
    event,
    talk,
    request: () => asked,
    /** Resolves when all events are reported. */
    end: async () => {
      talk.end();
      ledger.end();
      await following;
    },
    settle: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
}

const message = (id: number, from: string): ChatHappening => ({
  kind: 'message',
  message: { id, at: 0, from, content: 'x' },
});

test('reports a message after the steps before it', async () => {
  const { heard, event, talk, end, settle } = garden();
  event('turns/garden', 'turn.claimed', { notification: 'garden/0/arya', run: 'r1' });
  talk.tell(message(1, 'arya'));
  await settle();
  event('run/r1', 'tool.completed');
  event('turns/garden', 'turn.done', { notification: 'garden/0/arya' });
  event('chat/garden', 'message.posted', {}, { index: 1 });
  await end();
  expect(heard).toEqual(['arya begins r1', 'arya tool.completed', 'arya done', '#1 arya']);
});

test('reports a notice after its message', async () => {
  const { heard, event, talk, end, settle } = garden();
  talk.tell(message(1, 'user'));
  talk.tell({ kind: 'notice', notice: { message: 1, what: 'there is no agent "nope"' } });
  await settle();
  event('chat/garden', 'message.posted', {}, { index: 1 });
  await end();
  expect(heard).toEqual(['#1 user', '#1: there is no agent "nope"']);
});

test('reports a message at once if the ledger has it, and skips older ones', async () => {
  const { heard, event, talk, end, settle, request } = garden(4);
  expect(request()).toMatchObject({ conversation: 'garden', since: 4 });
  event('chat/garden', 'message.posted', {}, { index: 5 });
  await settle();
  talk.tell(message(5, 'user'));
  await settle();
  expect(heard).toEqual(['#5 user']);
  await end();
});

test('ignores other conversations and runs', async () => {
  const { heard, event, end } = garden();
  event('turns/other', 'turn.claimed', { notification: 'other/0/arya', run: 'r1' });
  event('run/r1', 'tool.completed');
  event('chat/other', 'message.posted', {}, { index: 1 });
  await end();
  expect(heard).toEqual([]);
});

test('reports the steps of a turn that was claimed before it followed the ledger', async () => {
  const { heard, event, end } = garden(-1, [{ agent: 'arya', run: 'r1' }]);
  event('run/r1', 'tool.completed');
  event('run/r2', 'tool.completed');
  await end();
  expect(heard).toEqual(['arya tool.completed']);
});

test('reports waiting, failed and dropped turns', async () => {
  const { heard, event, talk, end, settle } = garden();
  talk.tell({ kind: 'activity', from: 'arya', model: 'gpt-5-mini' });
  talk.tell({ kind: 'words', from: 'arya', text: 'so' });
  talk.tell({ kind: 'notice', notice: { message: 0, what: 'arya did not answer: failed' } });
  await settle();
  const data = { notification: 'garden/0/arya' };
  event('turns/garden', 'turn.parked', data);
  event('turns/garden', 'turn.parked', { ...data, until: 9, why: 'openai is rate limited' });
  event('turns/garden', 'turn.failed', data, { body: { why: 'no answer' } });
  event('turns/garden', 'turn.dropped', { ...data, reason: 'cancelled' });
  await end();
  expect(heard).toEqual([
    'arya gpt-5-mini',
    'arya says so',
    '#0: arya did not answer: failed',
    'parked',
    'arya until 9',
    'arya failed no answer',
    'arya dropped cancelled',
  ]);
});
