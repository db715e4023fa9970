import { canonicalJson, type Json } from '../kernel/index.ts';
import {
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type Row,
  type RowChange,
} from '../ledger/index.ts';
import type { RunEventBodies, RunEventData } from './run-events.ts';

const RUN_PREFIX = 'run/';

/** The tables of runs and of requests that wait for a person. */
export const runProjection: Projection = {
  name: 'runs',
  tables: [
    {
      name: 'runs',
      columns: {
        id: 'text',
        kind: 'text',
        goal: 'text',
        status: 'text',
        parent: 'text',
        root: 'text',
        origin: 'text',
        resumed_from: 'text',
        owner: 'text',
        epoch: 'integer',
        graph: 'text',
        subject: 'text',
        failure_code: 'text',
        started_at: 'integer',
        ended_at: 'integer',
        // What it waits for, or waited for last.
        waits_for: 'text',
        // When it continues by itself, or its request expires; the time of the last wait that had one.
        waits_until: 'integer',
        // How certain it is that a completed run did what it was asked.
        outcome: 'text',
      },
      key: ['id'],
      indexes: [['status'], ['parent'], ['root'], ['subject'], ['started_at', 'id']],
    },
    {
      name: 'approvals',
      columns: {
        id: 'text',
        run: 'text',
        kind: 'text',
        tool: 'text',
        arguments: 'json',
        arguments_hash: 'text',
        risk: 'text',
        why: 'text',
        question: 'text',
        options: 'json',
        requested_at: 'integer',
        expires_at: 'integer',
        status: 'text',
        decided_by: 'text',
        decided_at: 'integer',
        step: 'integer',
        rule: 'text',
        side_effect: 'text',
        destructive: 'integer',
        effect: 'text',
        rationale: 'text',
        known: 'json',
        answers: 'json',
        answer: 'text',
        approved: 'json',
        reason: 'text',
      },
      key: ['id'],
      indexes: [['run'], ['status'], ['requested_at', 'id']],
    },
    {
      name: 'artifacts',
      columns: {
        run: 'text',
        idx: 'integer',
        place: 'integer',
        step: 'integer',
        digest: 'text',
        name: 'text',
        media_type: 'text',
        bytes: 'integer',
      },
      key: ['run', 'idx', 'place'],
      indexes: [['digest']],
    },
  ],
  types: new Set([
    'run.started',
    'run.claimed',
    'run.released',
    'approval.requested',
    'approval.granted',
    'approval.denied',
    'approval.expired',
    'question.asked',
    'question.answered',
    'budget.exhausted',
    'run.deferred',
    'run.budget_added',
    'run.paused',
    'run.unpaused',
    'run.cancelled',
    'run.completed',
    'run.failed',
    'tool.pending',
    'remediation.retried',
    'artifacts.emitted',
    'body.erased',
    'stream.archived',
  ]),
  apply: changesOf,
};

function changesOf(event: LedgerEvent): readonly RowChange[] {
  const run = event.stream.slice(RUN_PREFIX.length);
  const data = event.data as { status?: string };
  const patch = (values: Row): RowChange => ({ table: 'runs', patch: values, where: { id: run } });
  switch (event.type) {
    case 'run.started':
      return started(run, event);
    case 'run.claimed': {
      const claimed = event.data as unknown as RunEventData['run.claimed'];
      return [patch({ status: claimed.status, owner: claimed.owner, epoch: claimed.epoch })];
    }
    case 'approval.requested':
    case 'question.asked':
      return [
        patch({
          ...{ status: data.status, owner: null },
          waits_for: event.type === 'question.asked' ? 'answer' : 'approval',
          waits_until: event.data['expiresAt'] ?? null,
        }),
        asked(run, event),
      ];
    case 'budget.exhausted':
      return [patch({ status: data.status, owner: null, waits_for: 'budget', waits_until: null })];
    case 'run.deferred':
      return [
        patch({ status: data.status, owner: null, waits_for: 'time', waits_until: event.data['at'] ?? null }),
      ];
    case 'tool.pending':
      return [
        patch({
          ...{ status: data.status, owner: null },
          ...{ waits_for: event.data['kind'], waits_until: event.data['at'] ?? null },
        }),
      ];
    case 'approval.granted':
      return [patch({ status: data.status }), ...granted(event)];
    case 'question.answered':
      return [patch({ status: data.status }), decided(event, 'answered', answerOf(event))];
    case 'approval.denied':
      return [patch({ status: data.status }), decided(event, 'denied', reasonOf(event))];
    case 'approval.expired':
      return [patch({ status: data.status }), decided(event, 'expired')];
    case 'run.cancelled':
      return [
        patch({ status: data.status, owner: null, ended_at: event.at }),
        { table: 'approvals', patch: { status: 'withdrawn' }, where: { run, status: 'pending' } },
      ];
    case 'run.completed':
      return [
        patch({
          ...{ status: data.status, owner: null, ended_at: event.at },
          outcome: event.data['outcome'] ?? null,
        }),
      ];
    case 'run.failed': {
      const failed = event.data as unknown as RunEventData['run.failed'];
      return [patch({ status: failed.status, owner: null, ended_at: event.at, failure_code: failed.code })];
    }
    case 'artifacts.emitted':
      return artifactsOf(run, event);
    case 'body.erased':
      return erased(event);
    case 'stream.archived':
      return archived(event.data['stream'] as string);
    case 'run.unpaused':
    case 'run.budget_added':
      return [patch({ status: data.status })];
    default:
      return [patch({ status: data.status, owner: null })];
  }
}

function started(run: string, event: LedgerEvent): RowChange[] {
  const data = event.data as unknown as RunEventData['run.started'];
  const body = event.body as unknown as RunEventBodies['run.started'] | undefined;
  const row: Row = {
    id: run,
    kind: data.kind,
    goal: body?.goal ?? null,
    status: data.status,
    parent: data.lineage.parent ?? null,
    root: data.lineage.root,
    origin: data.lineage.origin,
    resumed_from: data.lineage.resumedFrom ?? null,
    owner: data.owner ?? null,
    epoch: data.epoch,
    graph: data.pins.graph,
    subject: data.subject ?? null,
    failure_code: null,
    started_at: event.at,
    ended_at: null,
    waits_for: null,
    waits_until: null,
    outcome: null,
  };
  return [{ table: 'runs', put: row }];
}

function asked(run: string, event: LedgerEvent): RowChange {
  const data = event.data as unknown as Partial<
    RunEventData['approval.requested'] & RunEventData['question.asked']
  >;
  const body = event.body as unknown as
    | {
        arguments?: Json;
        question?: string;
        options?: readonly string[];
        effect?: string;
        rationale?: string;
        known?: readonly string[];
        answers?: Readonly<Record<string, string>>;
      }
    | undefined;
  const row: Row = {
    id: data.id,
    run,
    kind: data.about ?? 'tool',
    tool: data.tool ?? null,
    arguments: toJsonColumn(body?.arguments),
    arguments_hash: data.argumentsHash ?? null,
    risk: data.risk ?? null,
    why: data.why ?? null,
    question: body?.question ?? null,
    options: toJsonColumn(body?.options),
    requested_at: event.at,
    expires_at: data.expiresAt,
    status: 'pending',
    decided_by: null,
    decided_at: null,
    step: data.step ?? null,
    rule: data.rule ?? null,
    side_effect: data.sideEffect ?? null,
    destructive: data.destructive === undefined ? null : Number(data.destructive),
    effect: body?.effect ?? null,
    rationale: body?.rationale ?? null,
    known: toJsonColumn(body?.known),
    answers: toJsonColumn(body?.answers),
    answer: null,
    // The arguments that a person approved instead of the requested ones.
    approved: null,
    reason: null,
  };
  return { table: 'approvals', put: row };
}

/** JSON columns hold JSON text in every store. */
function toJsonColumn(value: Json | undefined): string | null {
  return value === undefined ? null : canonicalJson(value);
}

function granted(event: LedgerEvent): RowChange[] {
  const data = event.data as unknown as RunEventData['approval.granted'];
  const changes = [decided(event, 'approved')];
  if (data.edited) {
    const body = event.body as { arguments?: Json } | undefined;
    const edited: Row = { approved: toJsonColumn(body?.arguments), arguments_hash: data.argumentsHash };
    changes.push({ table: 'approvals', patch: edited, where: { id: data.id } });
  }
  return changes;
}

function answerOf(event: LedgerEvent): Row {
  return { answer: (event.body as { answer?: string } | undefined)?.answer ?? null };
}

function reasonOf(event: LedgerEvent): Row {
  return { reason: (event.body as { reason?: string } | undefined)?.reason ?? null };
}

function decided(event: LedgerEvent, status: string, more: Row = {}): RowChange {
  const data = event.data as { id?: string; by?: string };
  const patch = { status, decided_by: data.by ?? null, decided_at: event.at, ...more };
  return { table: 'approvals', patch, where: { id: data.id } };
}

function artifactsOf(run: string, event: LedgerEvent): RowChange[] {
  const refs = (event.body ?? []) as unknown as RunEventBodies['artifacts.emitted'];
  return refs.map((ref, place) => ({
    table: 'artifacts',
    put: {
      run,
      idx: event.index,
      place,
      step: event.data['step'],
      digest: ref.digest,
      name: ref.name ?? '',
      media_type: ref.mediaType,
      bytes: ref.bytes,
    },
  }));
}

/** Removes content that rows copied from bodies: a run's goal is in its event 0, arguments in later ones. */
function erased(event: LedgerEvent): RowChange[] {
  const places = namedAddresses(event.data)
    .filter(({ stream }) => stream.startsWith(RUN_PREFIX))
    .map(({ stream, index }) => ({ run: stream.slice(RUN_PREFIX.length), index }));
  const started = places.filter(({ index }) => index === 0);
  const runs = [...new Set(places.map(({ run }) => run))];
  const erased: Row = {
    ...{ arguments: null, question: null, options: null, effect: null, rationale: null },
    ...{ known: null, answers: null, answer: null, approved: null, reason: null },
  };
  return [
    ...places.map(({ run, index }): RowChange => ({ table: 'artifacts', delete: { run, idx: index } })),
    ...started.map(({ run }): RowChange => ({ table: 'runs', patch: { goal: null }, where: { id: run } })),
    ...runs.map((run): RowChange => ({ table: 'approvals', patch: erased, where: { run } })),
  ];
}

function archived(stream: string): RowChange[] {
  if (!stream.startsWith(RUN_PREFIX)) return [];
  const run = stream.slice(RUN_PREFIX.length);
  return [
    { table: 'runs', delete: { id: run } },
    { table: 'approvals', delete: { run } },
    { table: 'artifacts', delete: { run } },
  ];
}
