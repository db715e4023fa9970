// Owns: a person's decision on a request of a run. I1 An approval is decided once, before it expires, for the arguments shown.
import { isOkaError, type Json, OkaError } from '../kernel/index.ts';
import type { EventDraft } from '../ledger/index.ts';
import type { EngineParts } from './engine-parts.ts';
import { loadRun } from './load-run.ts';
import { hashArguments } from './middleware/check-policy.ts';
import { parseInput } from './middleware/check-schema.ts';
import type { ApprovalSummary, Grants } from './ports.ts';
import { runEvent } from './run-events.ts';
import type { RunState, Waiting } from './run-state.ts';
import { commitToRun } from './run-writer.ts';
import type { RunStatus } from './types.ts';

export type ApprovalDecision =
  | {
      readonly kind: 'approve';
      /** The hash that the person saw; rejected if it is not the requested one. */
      readonly argumentsHash?: string;
      /** Different arguments to run with; recorded as this person's edit. */
      readonly edit?: Json;
      readonly remember?: 'exact' | 'tool';
    }
  | { readonly kind: 'deny' }
  | { readonly kind: 'answer'; readonly answer: string };

/** Records the decision, so that the run can be resumed. Returns the run's ID. */
export async function decideApproval(
  id: string,
  decision: ApprovalDecision,
  by: string,
  parts: EngineParts,
  grants: Grants,
): Promise<string> {
  const summary = await parts.runs.approval(id);
  if (summary === undefined) {
    throw new OkaError('engine.unknown_approval', `No approval "${id}". See: oka approvals list.`, {
      data: { approval: id },
    });
  }
  for (;;) {
    const run = await loadRun(summary.run, parts);
    const waiting = requireOpen(run, summary);
    const expired = waiting.expiresAt <= parts.clock.now();
    const event = expired
      ? runEvent('approval.expired', { id, status: run.paused ? 'paused' : 'pending' })
      : await toEvent(decision, run, waiting, by, parts);
    try {
      await commitToRun(run, [event], parts, { by, sync: 'full' });
    } catch (error) {
      if (isOkaError(error, 'ledger.conflict')) continue;
      throw error;
    }
    if (expired) {
      throw new OkaError(
        'engine.approval_expired',
        `Approval ${id} has expired, which counts as a denial. Start the work again.`,
        { data: { approval: id, expiredAt: waiting.expiresAt } },
      );
    }
    if (decision.kind === 'approve' && decision.remember && waiting.for === 'approval') {
      await grants.add({
        tool: waiting.call.tool,
        by,
        at: parts.clock.now(),
        ...(decision.remember === 'exact' ? { argumentsHash: event.data['argumentsHash'] as string } : {}),
      });
    }
    return run.id;
  }
}

type Asked = Extract<Waiting, { for: 'approval' | 'answer' }>;

function requireOpen(run: RunState, summary: ApprovalSummary): Asked {
  const { waiting } = run;
  if (
    waiting !== undefined &&
    (waiting.for === 'approval' || waiting.for === 'answer') &&
    waiting.id === summary.id
  )
    return waiting;
  throw new OkaError(
    'engine.approval_decided',
    `Approval ${summary.id} is ${summary.status === 'pending' ? 'no longer open' : `already ${summary.status}`}. Nothing was changed.`,
    { data: { approval: summary.id, status: summary.status } },
  );
}

async function toEvent(
  decision: ApprovalDecision,
  run: RunState,
  waiting: Asked,
  by: string,
  parts: EngineParts,
): Promise<EventDraft> {
  const status = run.paused ? 'paused' : 'pending';
  if (decision.kind === 'deny') return runEvent('approval.denied', { id: waiting.id, by, status });
  if (waiting.for === 'answer') return answerEvent(decision, waiting, by, status);
  if (decision.kind === 'answer') {
    throw new OkaError(
      'engine.answer_not_offered',
      `${waiting.id} requests an approval. Approve or deny it.`,
    );
  }
  if (decision.argumentsHash !== undefined && decision.argumentsHash !== waiting.argumentsHash) {
    throw new OkaError(
      'engine.approval_mismatch',
      `The arguments of ${waiting.call.tool} differ from the ones you saw. Check them with: oka approvals show ${waiting.id}.`,
      { data: { shown: decision.argumentsHash, asked: waiting.argumentsHash } },
    );
  }
  const granted = { id: waiting.id, by, argumentsHash: waiting.argumentsHash, status } as const;
  if (decision.edit === undefined) return runEvent('approval.granted', granted);
  const tool = parts.tools.require(waiting.call.tool);
  const input = (await parseInput(tool.input, tool.name, decision.edit)) as Json;
  const argumentsHash = hashArguments(tool.name, input);
  return runEvent('approval.granted', { ...granted, argumentsHash, edited: true }, { arguments: input });
}

function answerEvent(
  decision: ApprovalDecision,
  waiting: Extract<Waiting, { for: 'answer' }>,
  by: string,
  status: RunStatus,
): EventDraft {
  const answer = decision.kind === 'answer' ? decision.answer : undefined;
  if (answer === undefined || (waiting.options !== undefined && !waiting.options.includes(answer))) {
    const offered = waiting.options ? ` one of: ${waiting.options.join(', ')}` : ' text';
    throw new OkaError(
      'engine.answer_not_offered',
      `"${waiting.question}" expects${offered}. Pass it with --answer.`,
      { data: { approval: waiting.id, options: waiting.options ?? null } },
    );
  }
  return runEvent('question.answered', { id: waiting.id, by, status }, { answer });
}
