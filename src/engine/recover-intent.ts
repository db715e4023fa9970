// Owns: an intent that a crash left without an outcome.
// I1 Only a call that may be repeated is made again without asking; otherwise a person says what happened.
import { deepFreeze } from '../kernel/index.ts';
import { isAllowedByPerson } from './middleware/check-policy.ts';
import { describeRun } from './middleware/judge-call.ts';
import { runEvent } from './run-events.ts';
import type { Session } from './session.ts';
import { outcomeRecorded, type Settled } from './step-events.ts';
import { mayRepeat } from './tool.ts';
import { keyOf, makeCall, recordOutcome, settleKey, startCall } from './tool-step.ts';
import type { OpenIntent } from './types.ts';

/** Makes the call again, records what a person answered, or asks a person. */
export async function recoverIntent(session: Session, intent: OpenIntent): Promise<void> {
  const { writer, parts } = session;
  const { step, key, answer } = intent;
  const call = { ...intent.call, input: deepFreeze(intent.call.input) };
  const { tool } = parts.tools.forCall(parts.tools.require(call.tool), call.input, parts.capabilities);
  const effect = intent.keyed ? await keyOf(session, call, step) : undefined;
  const settle = (outcome: Settled, made: { to?: string | undefined; by?: 'person' }): Promise<void> => {
    const event = outcomeRecorded({ step, tool: tool.name }, outcome, made);
    return writer.commit([event], 'full', effect && (() => settleKey(session, effect, outcome, 0, true)));
  };
  if (answer === 'done') {
    const to = await session.allowedTarget(call.then);
    return settle({ kind: 'output', output: null }, { to, by: 'person' });
  }
  if (answer === 'fail') {
    const message = `A person said that ${tool.name} did not succeed.`;
    return settle({ kind: 'failure', failure: { code: 'engine.effect_unknown', message } }, { by: 'person' });
  }
  const verdict = parts.policy.decide({ tool, input: call.input, run: describeRun(session.run) });
  if (verdict.decision === 'deny' && answer === 'retry') {
    const message = `Policy forbids ${tool.name}: ${verdict.why}.`;
    return settle({ kind: 'failure', failure: { code: 'engine.policy_denied', message } }, {});
  }
  const isStillAllowed =
    verdict.decision === 'allow' || (verdict.decision === 'ask' && intent.approval !== undefined);
  if (answer !== 'retry' && !(mayRepeat(tool) && isStillAllowed))
    return session.askAboutUnknown(tool, `the process stopped while ${tool.name} was acting.`);
  // The answer covers one more attempt; after a crash in that one, Oka asks again.
  const by = answer === 'retry' ? 'person' : 'engine';
  const attempt = (intent.attempts ?? 1) + 1;
  await writer.commit([runEvent('tool.retried', { step, tool: tool.name, by, attempt })], 'full');
  // How many attempts there were is unknown, so this one is not retried.
  const allowedByPerson = isAllowedByPerson(intent);
  const progress = startCall(
    session,
    { call, tool, key, step, binding: intent.binding, allowedByPerson, repeated: true },
    0,
  );
  const outcome = await makeCall(session, progress, false);
  if (await session.wasInterrupted(tool, outcome)) return;
  await recordOutcome(session, progress, outcome, { step, approval: intent.approval }, effect);
}
