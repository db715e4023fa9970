import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { Told } from '../../../test/support/told.ts';
import type { ChatHappening, EventView, Json, NotificationView, OkaApi } from '../../api/index.ts';
import { Context } from '../context.ts';
import type { LineEditor } from './line-editor.ts';
import { Room } from './room.ts';

/** A room in which arya is asked and answers, as the test has it; `onTrace` happens while it is looked what is open. */
async function room() {
  const ledger = new Told<EventView>();
  const talk = new Told<ChatHappening>();
  const turn = { status: 'queued' } as { status: NotificationView['status']; run?: string };
  const garden = {
    turn,
    cancelled: [] as string[],
    printed: [] as string[],
    shown: [] as string[],
    onTrace: (): Promise<void> | void => undefined,
  };
  const api = {
    chat: {
      view: async () => ({ messages: [], notices: [] }),
      follow: () => talk,
      send: async () => ({ id: 0, notified: ['arya'], unknown: [] }),
      trace: async () => {
        const seen = [{ ...turn, agent: 'arya' }];
        await garden.onTrace();
        return seen;
      },
      notify: async () => undefined,
    },
    ledger: { tail: () => ledger },
    runs: { cancel: async (run: string) => void garden.cancelled.push(run) },
    approvals: { list: async () => [] },
  } as unknown as OkaApi;
  const room = new Room({
    context: new Context({}, '.'),
    editor: {
      print: (text: string) => void garden.printed.push(text),
      show: (text: string) => void garden.shown.push(stripVTControlCharacters(text)),
      isEmpty: true,
      columns: 80,
    } as unknown as LineEditor,
    api,
    conversation: 'garden',
    to: 'arya',
    isGroup: false,
    shownNotices: new Set(),
    onLost: () => undefined,
  });
  await room.open({ limit: 1 });
  await room.say('how is the garden');
  /** Somebody takes up the turn, and the room has heard of it. */
  const claim = async (): Promise<void> => {
    Object.assign(turn, { status: 'claimed', run: 'r1' });
    ledger.tell({
      seq: 0,
      stream: 'turns/garden',
      index: 0,
      type: 'turn.claimed',
      at: 0,
      actor: 'x',
      data: { notification: 'garden/0/arya', run: 'r1' },
      chain: '',
    });
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const tell = async (type: string, data: Json, body?: Json): Promise<void> => {
    const stream = type.startsWith('turn.') ? 'turns/garden' : 'run/r1';
    const event = { seq: 0, stream, index: 0, type, at: 0, actor: 'x', chain: '' };
    ledger.tell({ ...event, data, ...(body === undefined ? {} : { body }) });
    await settle();
  };
  return { room, garden, claim, talk, tell, settle };
}

test('cancels a queued turn when it starts', async () => {
  const { room: here, garden, claim } = await room();
  const cancelled = here.cancel();
  await claim();
  await cancelled;
  expect(garden.cancelled).toEqual(['r1']);
});

test('cancels a turn that starts during the lookup', async () => {
  const { room: here, garden, claim } = await room();
  garden.onTrace = async () => {
    garden.onTrace = () => undefined;
    await claim();
  };
  await here.cancel();
  expect(garden.cancelled).toEqual(['r1']);
});

test('has no active turn once the answer is stored', async () => {
  const { room: here, garden, claim } = await room();
  await claim();
  expect(await here.hasActiveTurn()).toBe(true);
  garden.turn.status = 'done';
  expect(await here.hasActiveTurn()).toBe(false);
});

const notification = 'garden/0/arya';

test('shows until when an agent waits for its model, and does not prompt for approvals then', async () => {
  const { garden, claim, tell } = await room();
  await claim();
  await tell('turn.parked', { notification, until: Date.UTC(2026, 10, 17, 14, 5), why: 'busy' });
  expect(garden.shown.at(-1)).toContain('waiting until 2026-11-17 14:05:00 UTC');
});

test('prints a failure once, says that the agent retries, and then that it stopped', async () => {
  const { garden, claim, tell } = await room();
  await claim();
  const why = { why: 'openai cannot be reached.' };
  await tell('turn.failed', { notification }, why);
  await tell('turn.failed', { notification }, why);
  await tell('turn.dropped', { notification, reason: 'failed' }, why);
  expect(garden.printed.map((line) => stripVTControlCharacters(line))).toEqual([
    '✗ openai cannot be reached. Retrying.',
    '✗ The same error again. Retrying.',
    '✗ The same error again. arya stopped.',
  ]);
});

test('prints the text streamed before an interruption, and nothing of the cancelled turn after it', async () => {
  const { room: here, garden, claim, talk, tell, settle } = await room();
  await claim();
  talk.tell({ kind: 'words', from: 'arya', text: 'The beds are' });
  await settle();
  here.interruptAnswers();
  talk.tell({ kind: 'words', from: 'arya', text: ' dry.' });
  await settle();
  await tell('turn.dropped', { notification, reason: 'cancelled' }, { why: 'it was cancelled' });
  expect(garden.printed).toEqual(['The beds are']);
});

test('prints the lines of actions, several reads as one', async () => {
  const { garden, claim, tell } = await room();
  await claim();
  const read = (path: string): Promise<void> =>
    tell(
      'step.completed',
      { step: 1, kind: 'call_tool', outcome: 'ok', tool: 'files.read' },
      { input: { path } },
    );
  await read('a.md');
  await read('b.md');
  await tell('turn.done', { notification });
  expect(garden.printed).toEqual(['  read 2 files']);
});
