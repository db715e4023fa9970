import { expect, test } from 'vitest';
import { Told } from '../../../test/support/told.ts';
import type { ChatHappening, EventView, NotificationView, OkaApi } from '../../api/index.ts';
import { Context } from '../context.ts';
import type { LineEditor } from './line-editor.ts';
import { Room } from './room.ts';

/** A room in which arya is asked and answers, as the test has it; `onTrace` happens while it is looked what is open. */
async function room() {
  const ledger = new Told<EventView>();
  const turn = { status: 'queued' } as { status: NotificationView['status']; run?: string };
  const garden = { turn, cancelled: [] as string[], onTrace: (): Promise<void> | void => undefined };
  const api = {
    chat: {
      view: async () => ({ messages: [], notices: [] }),
      follow: () => new Told<ChatHappening>(),
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
    editor: { print: () => undefined, show: () => undefined, isEmpty: true } as unknown as LineEditor,
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
  return { room, garden, claim };
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
