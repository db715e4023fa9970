// Owns: what becomes of learned procedures when they are scored: proposed, promoted, demoted. Pure: the same ledger, tools
// and files give the same events, and none when they are on record already.
import type { EpochMs } from '../../kernel/index.ts';
import type { EventDraft } from '../../ledger/index.ts';
import { type DistilledProcedure, distilProcedure } from './distil-procedure.ts';
import { procedureEvent } from './procedure-events.ts';
import type { DemotionReason, Execution, LearnedProcedure, Procedure } from './types.ts';
import { figuresOf, type Standing, weighProcedure } from './weigh-procedure.ts';

/** What there is to score. */
export interface ScoreInput {
  readonly records: readonly LearnedProcedure[];
  /** The executions by the key of their kind of goal. */
  readonly executions: ReadonlyMap<string, readonly Execution[]>;
  /** The digests of the tools that are there. */
  readonly tools: ReadonlyMap<string, string>;
  /** The versions of files; a file that nothing is known of has none. */
  readonly files: ReadonlyMap<string, string>;
  /** Runs that have lost their content. */
  readonly erased: ReadonlySet<string>;
  readonly now: EpochMs;
}

export type RecordWithContent = LearnedProcedure & { readonly procedure: Procedure };

/** A record whose content was not erased. */
export function hasContent(record: LearnedProcedure): record is RecordWithContent {
  return record.procedure !== undefined;
}

/** Whether a procedure may be offered: it is neither taken back nor forgotten. */
export function isInForce({ status }: LearnedProcedure): boolean {
  return status === 'candidate' || status === 'promoted';
}

/** The events that bring the record up to what the ledger shows. */
export function scoreProcedures(input: ScoreInput): readonly EventDraft[] {
  const judged = input.records
    .filter(isInForce)
    .flatMap((record) => (hasContent(record) ? judge(record, input) : [lost(record)]));
  return [...judged, ...proposals(input)];
}

/** The files and tools that scoring has to know of. */
export function basisOf(
  records: readonly LearnedProcedure[],
  executions: ReadonlyMap<string, readonly Execution[]>,
): { readonly tools: readonly string[]; readonly files: readonly string[] } {
  const tools = new Set<string>();
  const files = new Set<string>();
  for (const { procedure } of records) {
    for (const { name } of procedure?.basis.tools ?? []) tools.add(name);
    for (const { path } of procedure?.basis.files ?? []) files.add(path);
  }
  for (const distilled of distilledFrom(records, executions)) {
    for (const tool of distilled.tools) tools.add(tool);
    for (const file of distilled.files) files.add(file);
  }
  return { tools: [...tools], files: [...files] };
}

/** What has changed under a procedure since it was learned. A tool that is not there now may come back. */
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
        detail: `the tool ${name} is not the one it was learned with`,
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

/** How a learned procedure stands on these executions. */
export function standingOf(
  record: RecordWithContent,
  { executions, now }: Pick<ScoreInput, 'executions' | 'now'>,
): Standing {
  return weighProcedure(record, executions.get(record.kindKey ?? '') ?? [], now);
}

function judge(record: RecordWithContent, input: ScoreInput): readonly EventDraft[] {
  const { id, status } = record;
  const { now } = input;
  const { evidence, contradictions, waitsFor, lastUsedAt = now } = standingOf(record, input);
  const demote = (reason: DemotionReason): readonly EventDraft[] => {
    const contradictedAt = reason.kind === 'contradicted' ? now : undefined;
    return [procedureEvent('procedure.demoted', { id, reason, evidence, since: now, contradictedAt })];
  };
  const erased = record.precedents.find((run) => input.erased.has(run));
  if (erased !== undefined)
    return demote({
      kind: 'evidence_erased',
      subject: erased,
      detail: `what it was learned from in run ${erased} was erased`,
    });
  const changed = changedBasis(record.procedure, input);
  if (changed !== undefined) return demote(changed);
  const [against] = contradictions;
  if (against !== undefined)
    return demote({ kind: 'contradicted', subject: against.run, detail: against.why });
  if (status === 'promoted' || waitsFor.length > 0) return [];
  return [procedureEvent('procedure.promoted', { id, evidence, lastValidatedAt: lastUsedAt })];
}

/** Its content was erased and nobody came to say why; there is nothing left to go by. */
function lost({ id }: LearnedProcedure): EventDraft {
  return procedureEvent('procedure.forgotten', { id, by: 'erasure' });
}

function proposals(input: ScoreInput): readonly EventDraft[] {
  const byId = new Map(input.records.map((record) => [record.id, record]));
  return distilledFrom(input.records, input.executions).flatMap((distilled) => {
    const { procedure, kindKey, precedents } = distilled;
    const known = byId.get(procedure.id);
    if (known !== undefined && known.status !== 'demoted') return [];
    if (precedents.some(({ endedAt }) => endedAt <= (known?.since ?? 0))) return [];
    // A tool that is not there cannot be compared later.
    if (!distilled.tools.every((tool) => input.tools.has(tool))) return [];
    const data = {
      id: procedure.id,
      precedents: precedents.map(({ run }) => run),
      evidence: { with: figuresOf([]), without: figuresOf(precedents) },
      since: known?.since ?? 0,
      contradictedAt: known?.contradictedAt,
    };
    const content = { ...procedure, basis: basisNow(distilled, input) };
    return [procedureEvent('procedure.proposed', data, { procedure: content, kindKey })];
  });
}

function basisNow({ tools, files }: DistilledProcedure, input: ScoreInput): Procedure['basis'] {
  return {
    tools: tools.map((name) => ({ name, digest: input.tools.get(name) as string })),
    files: files.flatMap((path) => {
      const version = input.files.get(path);
      return version === undefined ? [] : [{ path, version }];
    }),
  };
}

/** After a demotion a kind of goal starts over: only what ended later is learned from. */
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
