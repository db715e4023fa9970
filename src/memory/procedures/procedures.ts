// Owns: finding procedures of every origin, and recording changes of the learned ones. Does not own: what is learned
// (distil-procedure.ts) and when it is trusted (assess-procedure.ts, score-procedures.ts).
import { type Clock, didYouMean, nearestName, OkaError } from '../../kernel/index.ts';
import { commitDecided, type DecidedChange, type EventStore } from '../../ledger/index.ts';
import type { Erasure, NodeVersions } from '../ports.ts';
import type { Contradiction } from './assess-procedure.ts';
import { canBecomeProcedure, NEEDED_EXECUTIONS } from './distil-procedure.ts';
import { type FoundProcedure, findProcedures, isDeterminedByGoal } from './find-procedures.ts';
import { hasSucceeded, independentExecutions } from './independent-executions.ts';
import type {
  GivenProcedures,
  GoalRuns,
  ProcedureFault,
  ProcedureRecords,
  ReadGoalPieces,
  ToolVersions,
} from './ports.ts';
import { PROCEDURE_STREAM, procedureEvent } from './procedure-projection.ts';
import {
  assess,
  basisOf,
  changedBasis,
  hasContent,
  isInForce,
  type ScoreInput,
  scoreProcedures,
} from './score-procedures.ts';
import { surveyGoals } from './survey-goals.ts';
import type {
  DemotionReason,
  LearnedProcedure,
  Procedure,
  ProcedureErrorCode,
  ProcedureEvidence,
  ProcedureStatus,
} from './types.ts';

const NEEDS_MODEL = 'its steps need more than the goal, so only runs with a model can use it';

export interface ProceduresParts {
  readonly events: EventStore;
  readonly records: ProcedureRecords;
  readonly runs: GoalRuns;
  readonly tools: ToolVersions;
  readonly nodes: NodeVersions;
  readonly given: GivenProcedures;
  readonly readGoal: ReadGoalPieces;
  readonly erasure: Erasure;
  readonly clock: Clock;
}

export interface KnownProcedure {
  readonly procedure: Procedure & { readonly path?: string };
  readonly status: ProcedureStatus;
  readonly reason?: DemotionReason;
}

/** A kind of goal that may become a procedure. */
export interface FormingProcedure {
  readonly goals: string;
  readonly finished: number;
  /** Independent successful executions, in any way. */
  readonly independent: number;
  readonly needed: number;
}

export interface ProcedureExplanation extends KnownProcedure {
  /** Only for learned procedures: the current figures from the ledger. */
  readonly evidence?: ProcedureEvidence;
  readonly precedents: readonly string[];
  readonly contradictions: readonly Contradiction[];
  /** Why it cannot be promoted yet; empty if it can. */
  readonly waitsFor: readonly string[];
  readonly history: readonly {
    readonly at: number;
    readonly what: string;
    readonly reason?: DemotionReason;
    readonly evidence?: ProcedureEvidence;
  }[];
}

/** The changes that scoring made. */
export interface ScoreReport {
  /** The number of candidates and promoted procedures. */
  readonly scored: number;
  readonly proposed: readonly string[];
  readonly promoted: readonly string[];
  readonly demoted: readonly string[];
}

/** The procedures of one workspace: built-in, written and learned ones. */
export class Procedures {
  readonly #parts: ProceduresParts;

  constructor(parts: ProceduresParts) {
    this.#parts = parts;
  }

  /** Every procedure, the faults in files, and the kinds of goals that may become procedures. */
  async list(): Promise<{
    readonly procedures: readonly KnownProcedure[];
    readonly faults: readonly ProcedureFault[];
    readonly forming: readonly FormingProcedure[];
  }> {
    const { faults } = await this.#parts.given.all();
    const procedures = await this.#known();
    return { procedures, faults, forming: await this.#forming(await this.#parts.records.all()) };
  }

  /** The procedure with this id, or the only one with this name. */
  async show(idOrName: string): Promise<KnownProcedure> {
    const known = await this.#known();
    const byId = known.find(({ procedure }) => procedure.id === idOrName);
    if (byId !== undefined) return byId;
    const named = known.filter(({ procedure }) => procedure.name === idOrName);
    if (named.length === 1) return named[0] as KnownProcedure;
    throw named.length > 1 ? ambiguous(idOrName, named) : unknown(idOrName, known);
  }

  /** Explains the status of a procedure: runs, figures against the baseline, and what is missing. */
  async explain(idOrName: string): Promise<ProcedureExplanation> {
    const known = await this.show(idOrName);
    const record = await this.#parts.records.get(known.procedure.id);
    if (record === undefined || !hasContent(record))
      return { ...known, precedents: [], contradictions: [], waitsFor: [], history: [] };
    const input = await this.#input([record], { only: true });
    const { evidence, contradictions, waitsFor } = assess(record, input);
    const changed = changedBasis(record.procedure, input);
    const needsModel = !isDeterminedByGoal(record.procedure);
    return {
      ...known,
      evidence: record.status === 'demoted' ? record.evidence : evidence,
      precedents: record.precedents,
      contradictions,
      waitsFor:
        record.status === 'candidate'
          ? [...waitsFor, ...(changed ? [changed.detail] : []), ...(needsModel ? [NEEDS_MODEL] : [])]
          : [],
      history: await this.#history(record.id),
    };
  }

  /** Finds procedures for a goal, best first, except demoted ones, and ones with changed or missing tools or files. */
  async find(goal: string, limit = 3): Promise<readonly FoundProcedure[]> {
    const all = await this.#known(isInForce);
    const found = findProcedures(goal, all, { limit: all.length, read: this.#parts.readGoal });
    const basis = found.map(({ procedure }) => procedure.basis);
    const tools = await this.#parts.tools.digests([
      ...new Set(basis.flatMap((one) => one.tools.map(({ name }) => name))),
    ]);
    const files = await this.#versions(basis.flatMap((one) => one.files.map(({ path }) => path)));
    return found
      .filter(
        ({ procedure }) =>
          procedure.basis.tools.every(({ name }) => tools.has(name)) &&
          changedBasis(procedure, { tools, files }) === undefined,
      )
      .slice(0, limit);
  }

  /**
   * The found procedures that can run without a model: promoted ones, and candidates that only lack uses, so that they
   * collect uses without a model.
   */
  async executable(found: readonly FoundProcedure[]): Promise<readonly FoundProcedure[]> {
    const executable: FoundProcedure[] = [];
    for (const one of found) {
      if (!one.executable) continue;
      if (one.status === 'promoted' || (one.status === 'candidate' && (await this.#shouldTry(one.procedure))))
        executable.push(one);
    }
    return executable;
  }

  async #shouldTry(procedure: Procedure): Promise<boolean> {
    const record = isDeterminedByGoal(procedure) ? await this.#parts.records.get(procedure.id) : undefined;
    if (record === undefined || !hasContent(record)) return false;
    return assess(record, await this.#input([record], { only: true })).lacksUses;
  }

  /**
   * Updates the learned procedures from the ledger, in one commit. Idempotent: writes nothing if nothing changed, and
   * once if two processes score at the same time.
   */
  async score(by: string, options: { readonly dryRun?: boolean } = {}): Promise<ScoreReport> {
    if (options.dryRun) return (await this.#decide()).answer;
    const target = { stream: PROCEDURE_STREAM, actor: by };
    const report = await commitDecided(this.#parts.events, target, () => this.#decide());
    await this.#eraseWithEvidence(by);
    return report;
  }

  /** Erases a learned procedure; it is not learned again. */
  async forget(idOrName: string, by: string): Promise<void> {
    const { procedure, status } = await this.show(idOrName);
    const { id, name, path } = procedure as Procedure & { readonly path?: string };
    if (status === 'given') {
      const next = path === undefined ? 'It is part of Oka.' : `Delete the file ${path} instead.`;
      throw new OkaError<ProcedureErrorCode>(
        'procedures.not_learned',
        `Cannot forget the procedure "${name}": it was not learned. ${next}`,
        { data: { procedure: id } },
      );
    }
    await this.#erase(id, by, `procedure ${id} was forgotten`);
    await commitDecided(this.#parts.events, { stream: PROCEDURE_STREAM, actor: by }, async () => {
      const now = await this.#parts.records.get(id);
      const done = now === undefined || now.status === 'forgotten';
      return { events: done ? [] : [procedureEvent('procedure.forgotten', { id, by })], answer: undefined };
    });
  }

  /** Procedures that are not learned, then the learned ones with content. */
  async #known(isWanted: (record: LearnedProcedure) => boolean = () => true): Promise<KnownProcedure[]> {
    const { procedures } = await this.#parts.given.all();
    const learned = (await this.#parts.records.all()).filter(isWanted).filter(hasContent);
    return [
      ...procedures.map((procedure) => ({ procedure, status: 'given' as const })),
      ...learned.map(({ procedure, status, reason }) => ({
        ...{ procedure, status },
        ...(reason === undefined ? {} : { reason }),
      })),
    ];
  }

  async #decide(): Promise<DecidedChange<ScoreReport>> {
    const records = await this.#parts.records.all();
    const events = scoreProcedures(await this.#input(records));
    const ids = (type: string): readonly string[] =>
      events.filter((event) => event.type === type).map(({ data }) => String(data['id']));
    const answer = {
      scored: records.filter(isInForce).length,
      proposed: ids('procedure.proposed'),
      promoted: ids('procedure.promoted'),
      demoted: ids('procedure.demoted'),
    };
    return { events, answer };
  }

  /** Erases procedures whose runs were erased. */
  async #eraseWithEvidence(by: string): Promise<void> {
    for (const { id, reason } of (await this.#parts.records.all()).filter(hasContent))
      if (reason?.kind === 'evidence_erased') await this.#erase(id, by, reason.detail);
  }

  async #erase(id: string, by: string, why: string): Promise<void> {
    const events = await this.#parts.events.read(PROCEDURE_STREAM);
    const whole = events.filter(({ data, body }) => data['id'] === id && body !== undefined);
    const addresses = whole.map(({ index }) => ({ stream: PROCEDURE_STREAM, index }));
    if (addresses.length > 0) await this.#parts.erasure.erase(addresses, by, why);
  }

  async #input(records: readonly LearnedProcedure[], options: { only?: boolean } = {}): Promise<ScoreInput> {
    const now = this.#parts.clock.now();
    const kinds = new Set(records.flatMap(({ kindKey }) => kindKey ?? []));
    const executions = await surveyGoals(this.#parts, { kinds, ...options });
    const basis = basisOf(records, executions);
    const precedents = records.filter(isInForce).flatMap((record) => record.precedents);
    return {
      records,
      executions,
      tools: await this.#parts.tools.digests(basis.tools),
      files: await this.#versions(basis.files),
      erased: new Set(await this.#parts.runs.erased(precedents)),
      now,
    };
  }

  async #versions(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const versions = new Map<string, string>();
    for (const [path, { version }] of await this.#parts.nodes.versionsOf([...new Set(paths)]))
      if (version !== undefined) versions.set(path, version);
    return versions;
  }

  async #forming(records: readonly LearnedProcedure[]): Promise<readonly FormingProcedure[]> {
    const known = new Set(records.map(({ kindKey }) => kindKey));
    const executions = await surveyGoals(this.#parts, { kinds: new Set() });
    return [...executions].flatMap(([key, all]) => {
      const [first] = all;
      if (first === undefined || known.has(key) || !canBecomeProcedure(all)) return [];
      const independent = independentExecutions(all.filter(hasSucceeded), all).length;
      return [{ goals: first.kind.phrase, finished: all.length, independent, needed: NEEDED_EXECUTIONS }];
    });
  }

  async #history(id: string): Promise<ProcedureExplanation['history']> {
    const events = await this.#parts.events.read(PROCEDURE_STREAM);
    return events
      .filter(({ data }) => data['id'] === id)
      .map(({ at, type, data }) => {
        const { reason, evidence } = data as { readonly reason?: unknown; readonly evidence?: unknown };
        return {
          at,
          what: type.slice('procedure.'.length),
          ...(reason === undefined ? {} : { reason: reason as DemotionReason }),
          ...(evidence === undefined ? {} : { evidence: evidence as ProcedureEvidence }),
        };
      });
  }
}

function ambiguous(name: string, named: readonly KnownProcedure[]): OkaError {
  const ids = named.map(({ procedure }) => procedure.id);
  return new OkaError<ProcedureErrorCode>(
    'procedures.ambiguous',
    `${named.length} procedures have the name "${name}"; give the id of one: ${ids.join(', ')}.`,
    { data: { name, ids } },
  );
}

function unknown(given: string, known: readonly KnownProcedure[]): OkaError {
  const names = known.flatMap(({ procedure }) => [procedure.name, procedure.id]);
  return new OkaError<ProcedureErrorCode>(
    'procedures.unknown',
    `No procedure "${given}". ${didYouMean(nearestName(given, names), 'See: oka procedures list.')}`,
    { data: { procedure: given } },
  );
}
