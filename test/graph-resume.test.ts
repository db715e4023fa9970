import { describe, expect, it } from 'vitest';
import type { RunState } from '../src/engine/index.ts';
import { graphKit } from './support/graph-kit.ts';

const START = { node_id: 'start', type: 'start', next: 'a' };
const END = { node_id: 'end', type: 'end' };
const ECHO = { node_id: 'a', type: 'tool', tool: 'test.echo', args: { v: 1 }, next: 'end' };

type Kit = ReturnType<typeof graphKit>;

/** Lets time pass for as long as the run waits for it. */
async function patiently({ clock, engine }: Kit, begun: RunState): Promise<RunState> {
  let run = begun;
  while (run.waiting?.for === 'time') {
    clock.advance(60_000);
    run = await engine.resume(run.id, { patienceMs: 0 });
  }
  return run;
}

const resumed = async (kit: Kit, run: RunState) =>
  patiently(kit, await kit.engine.resume(run.id, { patienceMs: 0 }));

describe('a resumed graph', () => {
  it('gives the failed node all of its attempts again', async () => {
    const kit = graphKit();
    kit.failing.left = 3;
    const failed = await patiently(kit, await kit.start([START, ECHO, END]));
    expect(failed.failure?.message).toContain('failed 3 times');
    kit.failing.left = 2;
    const run = await resumed(kit, failed);
    expect(run.failure).toBeUndefined();
    expect(run.output).toEqual({ v: 1 });
  });

  it('continues in the failed round of a loop, with the output of the round before', async () => {
    const kit = graphKit();
    const asked = await kit.start(
      [
        START,
        { ...ECHO, args: { round: '{{run.visit}}', before: '{{last.answer}}' }, next: 'enough' },
        {
          node_id: 'enough',
          type: 'typed_condition',
          left: '{{last.round}}',
          operator: 'gte',
          right: 2,
          if_true: 'end',
          if_false: 'ask',
        },
        { node_id: 'ask', type: 'approval', question: 'Once more?', next: 'a' },
        END,
      ],
      { input: { answer: 'nothing' } },
    );
    Object.assign(kit.failing, { left: 1, transient: false });
    const { id } = asked.waiting as { id: string };
    await kit.engine.decide(id, { kind: 'answer', answer: 'gladly' }, 'ann');
    const failed = await kit.engine.resume(asked.id);
    expect(failed.failure?.code).toBe('test.busy');
    const run = await resumed(kit, failed);
    expect(run.output).toEqual({ round: 2, before: 'gladly' });
    expect(run.visits).toMatchObject({ a: 2, ask: 1 });
  });

  it('asks again when it was cancelled at its question', async () => {
    const kit = graphKit();
    const ask = { node_id: 'a', type: 'approval', question: 'Go on?', next: 'end' };
    const asked = await kit.start([START, ask, END]);
    await kit.engine.cancel(asked.id, 'ann', 'not now');
    const again = await kit.engine.resume(asked.id);
    expect(again.id).not.toBe(asked.id);
    expect(again.waiting).toMatchObject({ for: 'answer', question: 'Go on?' });
    const { id } = again.waiting as { id: string };
    await kit.engine.decide(id, { kind: 'answer', answer: 'yes' }, 'ann');
    expect((await kit.engine.resume(again.id)).output).toEqual({ answer: 'yes', by: 'ann' });
  });

  it('waits again when it was cancelled while it waited', async () => {
    const kit = graphKit();
    const waits = { node_id: 'a', type: 'wait', event: 'go', next: 'end' };
    const waiting = await kit.start([START, waits, END]);
    await kit.engine.cancel(waiting.id, 'ann', 'not now');
    const again = await kit.engine.resume(waiting.id, { patienceMs: 0 });
    expect(again.waiting).toMatchObject({ for: 'outcome', pending: { kind: 'event', event: 'go' } });
    await kit.engine.signal(again.id, 'go', { with: 'this' }, 'ann');
    expect((await kit.engine.resume(again.id)).output).toEqual({ with: 'this' });
  });

  it('does not count the retry of a failed node as another visit', async () => {
    const kit = graphKit();
    Object.assign(kit.failing, { left: 1, transient: false });
    const failed = await kit.start([START, { ...ECHO, args: { visit: '{{run.visit}}' } }, END]);
    expect(failed.failure?.code).toBe('test.busy');
    const run = await resumed(kit, failed);
    expect(run.output).toEqual({ visit: 1 });
    expect(run.lineage).toMatchObject({ origin: failed.id, resumedFrom: failed.id });
  });
});
