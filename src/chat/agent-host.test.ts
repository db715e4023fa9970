import { expect, it } from 'vitest';
import type { Engine, ExecutionBackend } from '../engine/index.ts';
import type { Clock } from '../kernel/index.ts';
import { AgentHost } from './agent-host.ts';
import type { Turns } from './turns.ts';

/** A clock that stands still. */
const still: Clock = { now: () => 0, callAt: () => () => undefined };

it('stops immediately, even if it is aborted while it looks for waiting turns', async () => {
  const stop = new AbortController();
  const host = new AgentHost({
    turns: { claim: async () => [] } as unknown as Turns,
    engine: {} as Engine,
    backend: {} as ExecutionBackend,
    clock: still,
    owners: { self: 'here', isAlive: () => true },
    agents: async () => {
      stop.abort();
      return [];
    },
    parked: async () => [],
    requestOf: () => Promise.reject(new Error('nothing waits')),
    isCancelled: async () => false,
    textOf: String,
    onTurn: () => undefined,
    onOutcome: () => undefined,
  });
  await host.run(stop.signal);
  expect(stop.signal.aborted).toBe(true);
});
