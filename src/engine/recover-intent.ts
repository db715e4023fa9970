import { deepFreeze } from '../kernel/index.ts';
import type { CallMaker } from './call-maker.ts';
import { describeRun } from './middleware/check-policy.ts';
import { runEvent } from './run-events.ts';
import type { SessionCore } from './session-core.ts';
import { outcomeRecorded, type Settled } from './step-events.ts';
import { mayRepeat } from './tool.ts';
import type { OpenIntent } from './types.ts';

/** Settles an intent without outcome: made again where that is harmless, else a person is asked. */
export async function recoverIntent(core: SessionCore, calls: CallMaker, intent: OpenIntent): Promise<void> {
  const { writer, parts } = core;
  const { step, call, key, answer } = intent;
  const { tool } = parts.tools.forCall(parts.tools.require(call.tool), call.input);
  const effect = intent.keyed ? await calls.keyOf(call, step) : undefined;
  const settle = (outcome: Settled, made: { to?: string | undefined; by?: 'person' }): Promise<void> => {
    const event = outcomeRecorded({ step, tool: tool.name }, outcome, made);
    return writer.commit([event], 'full', effect && (() => calls.keep(effect, outcome, 0, true)));
  };
  if (answer === 'done') {
    const to = call.then === undefined ? undefined : await core.agreed(call.then);
    return settle({ kind: 'output', output: null }, { to, by: 'person' });
  }
  if (answer === 'fail') {
    const message = `a person said that ${tool.name} did not succeed.`;
    return settle({ kind: 'failure', failure: { code: 'engine.effect_unknown', message } }, { by: 'person' });
  }
  const verdict = parts.policy.decide({ tool, input: call.input, run: describeRun(core.run) });
  if (verdict.decision === 'deny' && answer === 'retry') {
    const message = `policy forbids ${tool.name}: ${verdict.why}.`;
    return settle({ kind: 'failure', failure: { code: 'engine.policy_denied', message } }, {});
  }
  const stillAllowed =
    verdict.decision === 'allow' || (verdict.decision === 'ask' && intent.approval !== undefined);
  if (answer !== 'retry' && !(mayRepeat(tool) && stillAllowed)) {
    return calls.askAboutUnknown(tool, `the process stopped while ${tool.name} was acting.`);
  }
  // A person's word covers one more attempt; after a crash in that one, they are asked again.
  if (answer === 'retry') await writer.commit([runEvent('tool.retried', { step, tool: tool.name })], 'full');
  const again = { ...call, input: deepFreeze(call.input) };
  // How often it was tried before is not known, so it gets one attempt.
  const progress = calls.start(again, tool, key, step, 0);
  const outcome = await calls.perform(progress, true, false, (came) => came);
  await calls.record(again, progress, outcome, { step, approval: intent.approval }, effect);
}
