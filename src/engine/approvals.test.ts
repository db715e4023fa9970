import { describe, expect, it } from 'vitest';
import {
  call,
  effectTool,
  finish,
  makeEngine,
  openApproval,
  plannerOf,
  readTool,
  scripted,
} from '../../test/support/engine-kit.ts';
import type { Grant } from './ports.ts';
import { statusOf } from './run-state.ts';
import { StateGraph } from './state-graph.ts';

const look = readTool('look', () => ({ seen: 1 }));
const _act = effectTool('act', () => 'acted');
const run = { kind: 'test', goal: 'a goal' };

describe('approvals', () => {
  const risky = effectTool('risky', (input: { x: number }) => ({ did: input.x }), {
    annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'high' },
    sideEffect: 'external_mutation',
  });
  const planner = plannerOf((input) =>
    input.evidence.length > 0 ? finish(input.evidence[0]?.output ?? null) : call('risky', { x: 1 }),
  );

  it('park the run, and let it continue once with exactly these arguments', async () => {
    const { engine } = makeEngine(planner, [risky]);
    const parked = await engine.run(run);
    expect(statusOf(parked)).toBe('waiting');
    const approval = await openApproval(engine);
    expect(approval).toMatchObject({ run: parked.id, tool: 'risky', arguments: { x: 1 }, risk: 'high' });
    await expect(
      engine.decide(approval.id, { kind: 'approve', argumentsHash: 'other' }, 'ann'),
    ).rejects.toMatchObject({
      code: 'engine.approval_mismatch',
    });
    await engine.decide(approval.id, { kind: 'approve' }, 'ann');
    await expect(engine.decide(approval.id, { kind: 'approve' }, 'ann')).rejects.toMatchObject({
      code: 'engine.approval_decided',
    });
    const done = await engine.resume(parked.id);
    expect(done.output).toEqual({ did: 1 });
    expect(await engine.parts.runs.approvals({ status: 'approved' })).toHaveLength(1);
  });

  it('can edit the arguments that then run', async () => {
    const { engine } = makeEngine(planner, [risky]);
    const parked = await engine.run(run);
    const approval = await openApproval(engine);
    await engine.decide(approval.id, { kind: 'approve', edit: { x: 7 } }, 'ann');
    expect((await engine.resume(parked.id)).output).toEqual({ did: 7 });
    const explained = await engine.explain(parked.id);
    expect(JSON.stringify(explained.actions)).toContain('with edited arguments');
  });

  it('end the run cleanly when denied or expired', async () => {
    for (const how of ['deny', 'expire'] as const) {
      const { engine, clock } = makeEngine(planner, [risky]);
      const parked = await engine.run(run);
      const approval = await openApproval(engine);
      if (how === 'deny') await engine.decide(approval.id, { kind: 'deny' }, 'ann');
      else {
        clock.advance(86_400_001);
        await expect(engine.decide(approval.id, { kind: 'approve' }, 'ann')).rejects.toMatchObject({
          code: 'engine.approval_expired',
        });
      }
      const failed = await engine.resume(parked.id);
      expect(failed.failure?.code).toBe(
        how === 'deny' ? 'engine.approval_denied' : 'engine.approval_expired',
      );
      expect(failed.evidence).toEqual([]);
    }
  });

  it('expire when the run is resumed after their time', async () => {
    const { engine, clock } = makeEngine(planner, [risky]);
    const parked = await engine.run(run);
    clock.advance(86_400_001);
    expect((await engine.resume(parked.id)).failure?.code).toBe('engine.approval_expired');
  });

  it('are rejected when forged for other arguments', async () => {
    const { engine } = makeEngine(planner, [risky]);
    const parked = await engine.run(run);
    const approval = await openApproval(engine);
    await engine.parts.events.commit({
      actor: 'mallory',
      sync: 'full',
      appends: [
        {
          stream: `run/${parked.id}`,
          events: [
            {
              type: 'approval.granted',
              data: {
                id: approval.id,
                by: 'mallory',
                argumentsHash: approval.argumentsHash as string,
                edited: true,
                status: 'pending',
              },
              body: { arguments: { x: 666 } },
            },
          ],
        },
      ],
    });
    const refused = await engine.resume(parked.id);
    expect(refused.evidence[0]?.failure?.code).toBe('engine.approval_mismatch');
    expect(JSON.stringify(refused.evidence)).not.toContain('did');
  });

  it('are remembered on request, for these arguments or for a tool below high risk', async () => {
    const grants: Grant[] = [];
    const { engine } = makeEngine(planner, [risky], {
      grants: {
        of: (tool) => grants.filter((grant) => grant.tool === tool),
        add: async (grant) => void grants.push(grant),
      },
    });
    const parked = await engine.run(run);
    const approval = await openApproval(engine);
    await engine.decide(approval.id, { kind: 'approve', remember: 'exact' }, 'ann');
    await engine.resume(parked.id);
    expect(statusOf(await engine.run(run))).toBe('completed');
    expect(grants).toEqual([
      expect.objectContaining({
        tool: 'risky',
        covers: 'exactly: risky',
        by: 'ann',
        argumentsHash: approval.argumentsHash,
      }),
    ]);
    grants[0] = { id: 'wide', tool: 'risky', by: 'ann', at: 0 };
    expect(statusOf(await engine.run(run))).toBe('waiting');
  });

  it('are needed for every call in a state that requires them', async () => {
    const graph = new StateGraph({
      name: 'careful',
      start: 'work',
      states: {
        work: { to: ['done'], tools: { names: ['look'] }, approval: 'always' },
        done: { terminal: 'completed' },
      },
    });
    const parked = await makeEngine(scripted(call('look'), finish()), [look]).engine.run({ ...run, graph });
    expect(parked.waiting).toMatchObject({ for: 'approval' });
  });
});

describe('questions', () => {
  const planner = plannerOf((input) => {
    const answer = input.evidence.find((fact) => fact.source === 'person')?.output as
      | { answer: string }
      | undefined;
    return answer
      ? finish(answer.answer)
      : { kind: 'ask_human', question: 'which?', options: ['a', 'b'], rationale: 'unsure' };
  });

  it('park the run; only an answer among the options is accepted and becomes evidence', async () => {
    const { engine } = makeEngine(planner, []);
    const parked = await engine.run(run);
    const question = await openApproval(engine);
    await expect(engine.decide(question.id, { kind: 'answer', answer: 'c' }, 'ann')).rejects.toMatchObject({
      code: 'engine.answer_not_offered',
    });
    await expect(engine.decide(question.id, { kind: 'approve' }, 'ann')).rejects.toMatchObject({
      code: 'engine.answer_not_offered',
    });
    await engine.decide(question.id, { kind: 'answer', answer: 'b' }, 'ann');
    expect((await engine.resume(parked.id)).output).toBe('b');
  });
});
