// Owns: a person's decision on a request of a run. I1 An approval is decided once, before it expires, for the arguments shown.
import { isOkaError, type Json, OkaError } from '../kernel/index.ts';
import type { EventDraft } from '../ledger/index.ts';
import { type Binding, CHANGED_RULE, programOf } from './binding.ts';
import type { EngineParts } from './engine-parts.ts';
import { loadRun } from './load-run.ts';
import { hashArguments } from './middleware/check-policy.ts';
import { parseInput } from './middleware/check-schema.ts';
import { HOST_RULE, hostsReachedBy } from './middleware/judge-call.ts';
import { coversHost } from './named-hosts.ts';
import type { ApprovalSummary, Grant, Grants, KnownPrograms } from './ports.ts';
import { runEvent } from './run-events.ts';
import type { RunState, Waiting } from './run-state.ts';
import { commitToRun } from './run-writer.ts';
import { effectOf } from './tool.ts';
import type { RunStatus } from './types.ts';

const DAY_MS = 86_400_000;
const GRANT_LASTS_MS = 30 * DAY_MS;

export type ApprovalDecision =
  | {
      readonly kind: 'approve';
      /** The hash that the person saw; rejected if it is not the requested one. */
      readonly argumentsHash?: string;
      /** Different arguments to run with; recorded as this person's edit. */
      readonly edit?: Json;
      /**
       * Approves later calls too, for 30 days: with exactly these arguments, or (`tool`) with the scope that the tool binds its
       * calls to; any call of a tool that binds nothing.
       */
      readonly remember?: 'exact' | 'tool';
    }
  | {
      readonly kind: 'deny';
      /** Why, for the record and for the model. */
      readonly reason?: string;
    }
  | { readonly kind: 'answer'; readonly answer: string };

interface Remembered {
  readonly grants: Grants;
  readonly programs: KnownPrograms;
}

/**
 * Records the decision, so that the run can be resumed. Returns the run's ID. An approved host is approved for all runs of the
 * tree that wait for it: there is one question for each host.
 */
export async function decideApproval(
  id: string,
  decision: ApprovalDecision,
  by: string,
  parts: EngineParts,
  remembered: Remembered,
): Promise<string> {
  const run = await decideOne(id, decision, by, parts, remembered);
  if (decision.kind !== 'approve' || decision.edit !== undefined) return run;
  const decided = await parts.runs.approval(id);
  if (decided?.rule !== HOST_RULE) return run;
  const hosts = namedBy(decided, parts);
  for (const other of await parts.runs.approvals({ status: 'pending' })) {
    if (other.rule !== HOST_RULE || other.root !== decided.root) continue;
    if (!namedBy(other, parts).every((host) => coversHost(hosts, host))) continue;
    await decideOne(other.id, { kind: 'approve' }, by, parts, remembered).catch(ignoreDecided);
  }
  return run;
}

/** The hosts that an approval of this call names. */
function namedBy(
  { tool = '', arguments: input = null }: Pick<ApprovalSummary, 'tool' | 'arguments'>,
  { tools }: EngineParts,
): readonly string[] {
  const face = tools.face(tool);
  return face === undefined ? [] : hostsReachedBy(face, input);
}

function ignoreDecided(error: unknown): void {
  if (!isOkaError(error, ['engine.approval_decided', 'engine.approval_expired'])) throw error;
}

async function decideOne(
  id: string,
  decision: ApprovalDecision,
  by: string,
  parts: EngineParts,
  { grants, programs }: Remembered,
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
    const isApproved = decision.kind === 'approve' && waiting.for === 'approval' && !expired;
    const approved = isApproved ? await approvedCall(decision, waiting, parts) : undefined;
    if (isApproved && decision.remember !== undefined) requireRememberable(id, approved?.binding);
    const event = expired
      ? runEvent('approval.expired', { id, status: run.paused ? 'paused' : 'pending' })
      : toEvent(decision, run, waiting, by, approved);
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
    if (approved !== undefined && waiting.for === 'approval') {
      const program = approved.binding === undefined ? undefined : programOf(approved.binding);
      if (waiting.rule === CHANGED_RULE && program?.path !== undefined) programs.put(program);
      if (isApproved && decision.remember !== undefined)
        await grants.add(toGrant(approved, decision.remember, waiting.call.tool, by, parts));
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

/** The call that a person approves: the one that was shown, or their edit of it. */
interface ApprovedCall {
  readonly input: Json;
  readonly argumentsHash: string;
  readonly binding: Binding | undefined;
  /** The hosts that it contacts. */
  readonly namedHosts: readonly string[];
}

async function approvedCall(
  { edit, argumentsHash: shown }: Extract<ApprovalDecision, { kind: 'approve' }>,
  { id, call, argumentsHash, binding }: Extract<Asked, { for: 'approval' }>,
  parts: EngineParts,
): Promise<ApprovedCall> {
  if (shown !== undefined && shown !== argumentsHash) {
    throw new OkaError(
      'engine.approval_mismatch',
      `The arguments of ${call.tool} differ from the ones you saw. Check them with: oka approvals show ${id}.`,
      { data: { shown, asked: argumentsHash } },
    );
  }
  const namedHosts = namedBy({ tool: call.tool, arguments: edit ?? call.input }, parts);
  if (edit === undefined) return { input: call.input, argumentsHash, binding, namedHosts };
  const tool = parts.tools.require(call.tool);
  const input = (await parseInput(tool.input, tool.name, edit)) as Json;
  const { capabilities } = parts;
  return {
    input,
    argumentsHash: hashArguments(tool.name, input),
    binding: await tool.binds?.(input, { capabilities, part: 'all' }),
    namedHosts,
  };
}

function requireRememberable(approval: string, binding: Binding | undefined): void {
  if (binding?.notRemembered === undefined) return;
  throw new OkaError(
    'engine.not_remembered',
    `This approval cannot be remembered: ${binding.notRemembered}. Approve the call once: oka approvals approve ${approval}.`,
    { data: { approval, why: binding.notRemembered } },
  );
}

/** The narrowest grant that `remember` asks for. */
function toGrant(
  { input, argumentsHash, binding }: ApprovedCall,
  remember: 'exact' | 'tool',
  tool: string,
  by: string,
  { clock, ids, tools, redactor }: EngineParts,
): Grant {
  const at = clock.now();
  const scope =
    binding === undefined ? remember === 'tool' : remember === 'tool' && binding.scope !== undefined;
  const face = tools.face(tool);
  const exactly = `exactly: ${face === undefined ? tool : effectOf(face, input).what}`;
  const covers = scope ? (binding?.covers ?? 'any arguments') : exactly;
  return {
    ...{ id: ids.next(), tool, covers: redactor.text(covers), by, at, expiresAt: at + GRANT_LASTS_MS },
    ...(scope ? {} : { argumentsHash }),
    ...(binding === undefined ? {} : { binding }),
  };
}

function toEvent(
  decision: ApprovalDecision,
  run: RunState,
  waiting: Asked,
  by: string,
  approved: ApprovedCall | undefined,
): EventDraft {
  const status = run.paused ? 'paused' : 'pending';
  if (decision.kind === 'deny') {
    const { reason } = decision;
    return runEvent(
      'approval.denied',
      { id: waiting.id, by, status },
      reason === undefined ? undefined : { reason },
    );
  }
  if (waiting.for === 'answer') return answerEvent(decision, waiting, by, status);
  if (decision.kind === 'answer' || approved === undefined) {
    throw new OkaError(
      'engine.answer_not_offered',
      `${waiting.id} requests an approval. Approve or deny it.`,
    );
  }
  const { argumentsHash, input, binding, namedHosts } = approved;
  const granted = { id: waiting.id, by, argumentsHash, status } as const;
  const named = namedHosts.length === 0 ? undefined : { namedHosts };
  if (decision.edit === undefined) return runEvent('approval.granted', granted, named);
  return runEvent('approval.granted', { ...granted, edited: true }, { arguments: input, binding, ...named });
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
