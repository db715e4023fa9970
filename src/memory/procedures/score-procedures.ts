// Owns: proposing, promoting and demoting learned procedures. Pure: the same ledger, tools and files give the same events,
// and none once these are recorded.
import type { EpochMs } from '../../kernel/index.ts';
import type { EventDraft } from '../../ledger/index.ts';
import { type Assessment, assessProcedure, figuresOf } from './assess-procedure.ts';
import { type DistilledProcedure, distilProcedure } from './distil-procedure.ts';
import { procedureEvent } from './procedure-projection.ts';
import type { DemotionReason, Execution, LearnedProcedure, Procedure } from './types.ts';

export interface ScoreInput {
  readonly records: readonly LearnedProcedure[];
  /** Executions by the key of their kind of goal. */
  readonly executions: ReadonlyMap<string, readonly Execution[]>;
  /** The digests of the available tools. */
  readonly tools: ReadonlyMap<string, string>;
  /** The versions of the known files. */
  readonly files: ReadonlyMap<string, string>;
  /** Runs with erased content. */
  readonly erased: ReadonlySet<string>;
  readonly now: EpochMs;
}

export type RecordWithContent = LearnedProcedure & { readonly procedure: Procedure };

/** Whether the content of a record was not erased. */
export function hasContent(record: LearnedProcedure): record is RecordWithContent {
  return record.procedure !== undefined;
}

/** Whether a procedure may be offered: it is neither demoted nor forgotten. */
export function isInForce({ status }: LearnedProcedure): boolean {
  return status === 'candidate' || status === 'promoted';
}

/** The events that update the records from the ledger. */
export function scoreProcedures(input: ScoreInput): readonly EventDraft[] {
  const scored = input.records
    .filter(isInForce)
    // Without its content a procedure cannot be assessed.
    .flatMap((record) =>
      hasContent(record)
        ? score(record, input)
        : [procedureEvent('procedure.forgotten', { id: record.id, by: 'erasure' })],
    );
  return [...scored, ...proposals(input)];
}

/** The files and tools whose versions scoring needs. */
export function basisOf(
  records: readonly LearnedProcedure[],
  executions: ReadonlyMap<string, readonly Execution[]>,
): { readonly tools: readonly string[]; readonly files: readonly string[] } {
  const bases = records.flatMap(({ procedure }) => procedure?.basis ?? []);
  const distilled = distilledFrom(records, executions);
  const tools = [
    ...bases.flatMap((basis) => basis.tools.map(({ name }) => name)),
    ...distilled.flatMap((one) => one.tools),
  ];
  const files = [
    ...bases.flatMap((basis) => basis.files.map(({ path }) => path)),
    ...distilled.flatMap((one) => one.files),
  ];
  return { tools: [...new Set(tools)], files: [...new Set(files)] };
}

/** What has changed since a procedure was learned. A missing tool does not count; it may come back. */
export function changedBasis(
  { basis }: Pick<Procedure, 'basis'>,
  { tools, files }: Pick<ScoreInput, 'tools' | 'files'>,
): DemotionReason | undefined {
  for (const { name, digest } of basis.tools) {
    const now = tools.get(name);
    if (digest !== undefined && now !== undefined && now !== digest)
      return {
        kind: 'tool_changed',
        subject: name,
        detail: `the tool ${name} has changed since it was learned`,
      };
  }
  for (const { path, version } of basis.files) {
    const now = files.get(path);
    if (version !== undefined && now !== undefined && now !== version)
      return {
        kind: 'file_changed',
        subject: path,
        detail: `the file ${path} has changed since it was learned`,
      };
  }
  return undefined;
}

export function assess(
  record: RecordWithContent,
  { executions, now }: Pick<ScoreInput, 'executions' | 'now'>,
): Assessment {
  return assessProcedure(record, executions.get(record.kindKey ?? '') ?? [], now);
}

function score(record: RecordWithContent, input: ScoreInput): readonly EventDraft[] {
  const { id, status } = record;
  const { now } = input;
  const { evidence, contradictions, waitsFor, lastUsedAt = now } = assess(record, input);
  const demote = (reason: DemotionReason): readonly EventDraft[] => {
    const contradictedAt = reason.kind === 'contradicted' ? now : undefined;
    return [procedureEvent('procedure.demoted', { id, reason, evidence, since: now, contradictedAt })];
  };
  const erased = record.precedents.find((run) => input.erased.has(run));
  if (erased !== undefined)
    return demote({
      kind: 'evidence_erased',
      subject: erased,
      detail: `run ${erased}, which it was learned from, was erased`,
    });
  const changed = changedBasis(record.procedure, input);
  if (changed !== undefined) return demote(changed);
  const [against] = contradictions;
  if (against !== undefined)
    return demote({ kind: 'contradicted', subject: against.run, detail: against.why });
  if (status === 'promoted' || waitsFor.length > 0) return [];
  return [procedureEvent('procedure.promoted', { id, evidence, lastValidatedAt: lastUsedAt })];
}

function proposals(input: ScoreInput): readonly EventDraft[] {
  const byId = new Map(input.records.map((record) => [record.id, record]));
  return distilledFrom(input.records, input.executions).flatMap((distilled) => {
    const { procedure, kindKey, precedents } = distilled;
    const known = byId.get(procedure.id);
    if (known !== undefined && known.status !== 'demoted') return [];
    if (precedents.some(({ endedAt }) => endedAt <= (known?.since ?? 0))) return [];
    // A missing tool could not be compared later.
    if (!distilled.tools.every((tool) => input.tools.has(tool))) return [];
    const data = {
      id: procedure.id,
      precedents: precedents.map(({ run }) => run),
      evidence: { with: figuresOf([]), without: figuresOf(precedents) },
      since: known?.since ?? 0,
      contradictedAt: known?.contradictedAt,
    };
    const content = { ...procedure, basis: currentBasis(distilled, input) };
    return [procedureEvent('procedure.proposed', data, { procedure: content, kindKey })];
  });
}

function currentBasis({ tools, files }: DistilledProcedure, input: ScoreInput): Procedure['basis'] {
  return {
    tools: tools.map((name) => ({ name, digest: input.tools.get(name) as string })),
    files: files.flatMap((path) => {
      const version = input.files.get(path);
      return version === undefined ? [] : [{ path, version }];
    }),
  };
}

/** After a demotion, only executions that ended later count. */
function distilledFrom(
  records: readonly LearnedProcedure[],
  executions: ReadonlyMap<string, readonly Execution[]>,
): readonly DistilledProcedure[] {
  const since = new Map<string, number>();
  for (const { kindKey = '', since: from } of records)
    since.set(kindKey, Math.max(from, since.get(kindKey) ?? 0));
  return [...executions].flatMap(([kindKey, all]) => {
    const from = since.get(kindKey) ?? 0;
    return distilProcedure(all.filter(({ endedAt }) => endedAt > from)) ?? [];
  });
}
