// Random schedules of everything that can happen to a conversation, on a real ledger, with hosts that die.
import fc from 'fast-check';
import { expect } from 'vitest';
import { SqlChatRecords } from '../../src/adapters/sql/index.ts';
import {
  type ChatParts,
  ConversationErasure,
  Conversations,
  DEFAULT_CHAIN_LIMITS,
  type Notification,
  type Turn,
  Turns,
} from '../../src/chat/index.ts';
import { isOkaError, sortableIds } from '../../src/kernel/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { verifyLedger } from '../support/verify-ledger.ts';

const AGENTS = ['ann', 'bob', 'cid'];
const ROOMS = ['east', 'west'];
const TTL_MS = 10_000;

/** One step of a schedule. Numbers select among the items that exist at that moment. */
export type Step =
  | { readonly do: 'send'; readonly room: number; readonly to: readonly number[] }
  | { readonly do: 'claim' | 'crash'; readonly host: number }
  | { readonly do: 'reply'; readonly turn: number; readonly to: readonly number[]; readonly text: number }
  | { readonly do: 'fail' | 'release' | 'park' | 'unpark' | 'drop'; readonly turn: number }
  | { readonly do: 'pause' | 'resume' | 'delete' | 'retry'; readonly room: number }
  | { readonly do: 'cleanup' }
  | { readonly do: 'wait'; readonly ms: number };

const number = fc.nat({ max: 7 });
const mentioned = fc.array(number, { maxLength: 3 });

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), room: number, to: mentioned }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('claim' as const), host: number }) },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('reply' as const), turn: number, to: mentioned, text: number }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'fail' as const,
          'release' as const,
          'park' as const,
          'unpark' as const,
          'drop' as const,
        ),
        turn: number,
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), host: number }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const), room: number }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), room: number }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cleanup' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const), room: number }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1_000, TTL_MS) }),
    },
  ),
  { minLength: 10, maxLength: 60 },
);

interface Host {
  readonly name: string;
  readonly turns: Turns;
  readonly working: Turn[];
}

/** The state that a schedule acts on. */
export class ChatWorld {
  readonly #clock = new ManualClock();
  readonly #ledger;
  readonly #records: SqlChatRecords;
  readonly #parts: ChatParts;
  readonly #conversations: Conversations;
  readonly #erasure: ConversationErasure;
  readonly #dead = new Set<string>();
  readonly #hosts: Host[] = [];
  #started = 0;
  /** Ids of all notifications so far. */
  readonly #sent = new Set<string>();

  constructor() {
    const root = tempFolder();
    this.#ledger = openTestLedger(root, { clock: this.#clock });
    const { events, tables } = this.#ledger;
    this.#records = new SqlChatRecords(tables);
    this.#parts = {
      events,
      records: this.#records,
      agents: { names: async () => new Set(AGENTS), toolsOf: async () => undefined },
      erasure: {
        bodiesOf: async (streams) =>
          (await Promise.all(streams.map((stream) => events.read(stream))))
            .flat()
            .flatMap(({ stream, index, body }) => (body === undefined ? [] : [{ stream, index }])),
        streamsOfRun: async () => [],
        erase: async (addresses, by, reason) => {
          if (addresses.length === 0) return;
          this.#ledger.archive.erase(addresses, by, reason);
          await this.#ledger.mirror.settle();
        },
        stop: async () => undefined,
      },
      clock: this.#clock,
      ids: sortableIds(this.#clock, seededRandom(3)),
      limits: { ...DEFAULT_CHAIN_LIMITS, depth: 4, turns: 12 },
      ttlMs: TTL_MS,
    };
    this.#conversations = new Conversations(this.#parts);
    this.#erasure = new ConversationErasure(this.#parts, this.#conversations);
  }

  async begin(): Promise<void> {
    await this.#ledger.startWriting();
    for (const room of ROOMS) await this.#conversations.create(room, 'ann');
    this.#startHost();
    this.#startHost();
    this.#ledger.store.subscribe((events) => {
      for (const { type, stream, index, data } of events) {
        if (type !== 'message.posted') continue;
        for (const { agent } of (data['notifies'] ?? []) as { agent: string }[])
          this.#sent.add(`${stream.slice('chat/'.length)}/${index}/${agent}`);
      }
    });
  }

  #startHost(): void {
    this.#started += 1;
    const name = `host-${this.#started}`;
    const turns = new Turns(this.#parts, { self: name, isAlive: (owner) => !this.#dead.has(owner) });
    this.#hosts.push({ name, turns, working: [] });
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'send': {
        const text = `${step.to.map((one) => `@${pick(AGENTS, one)}`).join(' ')} please`;
        return this.#inRoom(step.room, (room) => this.#conversations.send(room, text, 'ann'));
      }
      case 'claim': {
        const host = pick(this.#hosts, step.host) as Host;
        host.working.push(...(await host.turns.claim(AGENTS)));
        return;
      }
      case 'crash': {
        const host = pick(this.#hosts, step.host) as Host;
        this.#dead.add(host.name);
        this.#hosts.splice(this.#hosts.indexOf(host), 1);
        return this.#startHost();
      }
      case 'reply': {
        const text = `${step.to.map((one) => `@${pick(AGENTS, one)}`).join(' ')} says ${'abc'[step.text % 3]}`;
        const result = { text, tokens: 1, costUsd: 0, untrusted: false };
        return this.#withTurn(step.turn, (host, turn) => host.turns.finish(turn, result));
      }
      case 'fail':
        return this.#withTurn(step.turn, ({ turns }, turn) => turns.fail(turn, 'why not', NOTHING));
      case 'release':
        return this.#withTurn(step.turn, ({ turns }, turn) => turns.release(turn));
      case 'park':
        return this.#withTurn(step.turn, ({ turns }, turn) =>
          turns.park(turn, step.turn % 2 === 0 ? undefined : { until: this.#clock.now(), why: 'busy' }),
        );
      case 'drop':
        return this.#withTurn(step.turn, ({ turns }, turn) => turns.drop(turn, 'cancelled', 'so', NOTHING));
      case 'unpark': {
        const parked = (await this.#records.open(AGENTS)).filter((one) => one.parked);
        const host = this.#hosts[0] as Host;
        const turn = parked.length > 0 && (await host.turns.unpark(pick(parked, step.turn) as Notification));
        if (turn) host.working.push(turn);
        return;
      }
      case 'pause':
        return this.#inRoom(step.room, (room) => this.#conversations.pause(room, 'ann'));
      case 'resume':
        return this.#inRoom(step.room, (room) => this.#conversations.resume(room, 'ann'));
      case 'delete':
        return this.#inRoom(step.room, async (room) => {
          await this.#erasure.delete(room, 'ann');
          await this.#conversations.create(room, 'ann');
        });
      case 'retry':
        return this.#inRoom(step.room, (room) => this.#conversations.retry(room, undefined, 'ann'));
      case 'cleanup':
        await this.#erasure.cleanup('ann');
        return;
      case 'wait':
        this.#clock.advance(step.ms);
    }
  }

  /** Creates a room again that cleanup has removed. */
  async #inRoom(which: number, act: (room: string) => Promise<unknown>): Promise<void> {
    const room = pick(ROOMS, which) as string;
    await this.#conversations.create(room, 'ann').catch((error: unknown) => {
      if (!isOkaError(error, 'chat.exists')) throw error;
    });
    await act(room);
  }

  async #withTurn(which: number, act: (host: Host, turn: Turn) => Promise<unknown>): Promise<void> {
    const all = this.#hosts.flatMap((host) => host.working.map((turn) => ({ host, turn })));
    if (all.length === 0) return;
    const { host, turn } = pick(all, which) as { host: Host; turn: Turn };
    host.working.splice(host.working.indexOf(turn), 1);
    await act(host, turn);
  }

  /** The invariants after every step. */
  async check(): Promise<void> {
    const { queued, claimed, done, dropped } = await this.#records.counts();
    expect(queued + claimed + done + dropped).toBe(this.#sent.size);
    const answered = new Set<string>();
    for (const room of ROOMS) {
      const places = new Set<string>();
      for (const { status, agent, reason } of await this.#records.notifications(room)) {
        if (status === 'dropped') expect(reason).toBeDefined();
        if (status !== 'claimed') continue;
        expect(places.has(agent), `${agent} answers twice at once`).toBe(false);
        places.add(agent);
      }
      for (const { cause } of await this.#records.messages({ conversation: room, after: 0 })) {
        if (cause === undefined) continue;
        expect(answered.has(cause), `${cause} is answered twice`).toBe(false);
        answered.add(cause);
        expect((await this.#records.notification(cause))?.status).toBe('done');
      }
    }
  }

  /** Finishes all open work: nothing may be left behind. */
  async finish(): Promise<void> {
    for (const room of ROOMS)
      await this.#inRoom(room === 'east' ? 0 : 1, (name) => this.#conversations.resume(name, 'ann'));
    for (const { name } of this.#hosts.splice(0)) this.#dead.add(name);
    this.#startHost();
    const [host] = this.#hosts as [Host];
    for (const one of await this.#records.open(AGENTS))
      if (one.parked) await this.#settle(host, await host.turns.unpark(one));
    for (let turns = await host.turns.claim(AGENTS); turns.length > 0; turns = await host.turns.claim(AGENTS))
      for (const turn of turns) await this.#settle(host, turn);
    expect(await this.#records.counts()).toMatchObject({ queued: 0, claimed: 0 });
    await this.check();
    expect(await verifyLedger(this.#ledger)).toMatchObject({ faults: [] });
    await this.#ledger.close();
  }

  async #settle(host: Host, turn: Turn | undefined): Promise<void> {
    const result = { text: 'That is all.', tokens: 0, costUsd: 0, untrusted: false };
    if (turn) expect(await host.turns.finish(turn, result)).toBe(true);
  }
}

const NOTHING = { tokens: 0, costUsd: 0 };

function pick<One>(list: readonly One[], which: number): One | undefined {
  return list[which % list.length];
}

/** Runs a schedule and checks the invariants after every step. */
export async function happen(schedule: readonly Step[]): Promise<void> {
  const world = new ChatWorld();
  await world.begin();
  for (const step of schedule) {
    await world.take(step);
    await world.check();
  }
  await world.finish();
}
