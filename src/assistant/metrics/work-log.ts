// Owns: reading run events as units of work: start, waits for a person, rejections, corrections, end. A resumed run belongs to
// the same work.
import { asObject, type EpochMs, type Json, type JsonObject } from '../../kernel/index.ts';

/** A run event that metrics are computed from. */
export interface Figure {
  readonly run: string;
  readonly type: string;
  readonly at: EpochMs;
  readonly data: JsonObject;
  /** The goal of a run, with its start. */
  readonly goal?: string;
  /** What the model was shown, if one was called. */
  readonly manifest?: Json;
}

/** Reads events in ledger order. */
export interface RunFigures {
  read(since: EpochMs): AsyncIterable<Figure>;
  /** The facts learned since a time. */
  facts(since: EpochMs): Promise<LearnedFacts>;
  /** The runs that used facts. */
  runsWithFacts(): Promise<ReadonlySet<string>>;
}

/** What became of learned facts. Each fact counts once: as rejected, else as superseded, else as unused. */
export interface LearnedFacts {
  readonly learned: number;
  /** Deleted by a person or rejected in a review. */
  readonly rejected: number;
  readonly superseded: number;
  /** Valid, but no run got them. */
  readonly unused: number;
}

/** Kinds of runs that do not count as work: single calls, and maintenance of Oka. */
const NOT_WORK = ['call', 'maintenance'];

const WAITS: Readonly<Record<string, (data: JsonObject) => string>> = {
  'approval.requested': askedId,
  'question.asked': askedId,
  'budget.exhausted': () => 'budget',
  'run.paused': () => 'pause',
};
const RESUMES: Readonly<Record<string, (data: JsonObject) => string>> = {
  'approval.granted': askedId,
  'approval.denied': askedId,
  'approval.expired': askedId,
  'question.answered': askedId,
  'run.budget_added': () => 'budget',
  'run.unpaused': () => 'pause',
};
const ONLY_PLANNED = 'planned';
const ENDS = ['run.completed', 'run.failed', 'run.cancelled'];
/** Failure codes that end a run with a final rejection. */
const LAST_REJECTIONS = ['assistant.task_failed', 'assistant.handed_off'];

export interface Interval {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** A goal or an automation, with all runs that resumed it. */
export interface Work {
  readonly startedAt: EpochMs;
  readonly isGoal: boolean;
  status: 'open' | 'completed' | 'partial' | 'unproven' | 'failed' | 'cancelled';
  endedAt?: EpochMs;
  rejections: number;
  edits: number;
  undos: number;
  corrections: number;
  readonly waits: Interval[];
  /** Facts of memory were used in it. */
  usedFacts: boolean;
}

/** The items of the first pack of a run, and its size. */
export interface PackSeen {
  readonly goal: string;
  readonly tokens: number;
  readonly items: ReadonlySet<string>;
}

interface KnownRun {
  readonly work: Work | undefined;
  readonly isRoot: boolean;
  /** Why the run waits for a person, and since when. */
  readonly reasons: Set<string>;
  since: EpochMs;
}

/** The cost of a model call and the size of its context pack. */
export interface ModelSpend {
  readonly at: EpochMs;
  readonly spend: JsonObject;
  readonly unpriced: boolean;
  readonly packTokens?: number;
}

export async function readWork(
  figures: Iterable<Figure> | AsyncIterable<Figure>,
  runsWithFacts: ReadonlySet<string> = new Set(),
) {
  const log = new WorkLog(runsWithFacts);
  for await (const figure of figures) log.add(figure);
  return {
    work: [...log.byOrigin.values()],
    spends: log.spends as readonly ModelSpend[],
    packs: [...log.packs.values()],
  };
}

class WorkLog {
  readonly byOrigin = new Map<string, Work>();
  readonly spends: ModelSpend[] = [];
  /** The first pack of each run, in the order of the ledger. */
  readonly packs = new Map<string, PackSeen>();
  readonly #runs = new Map<string, KnownRun>();
  readonly #goals = new Map<string, string>();
  readonly #runsWithFacts: ReadonlySet<string>;

  constructor(runsWithFacts: ReadonlySet<string>) {
    this.#runsWithFacts = runsWithFacts;
  }

  add(figure: Figure): void {
    const { type, at, data, run } = figure;
    if (type === 'run.started') this.#start(figure);
    const spend = spendOf(figure);
    if (spend !== undefined) this.spends.push(spend);
    this.#seePack(figure);
    const known = this.#runs.get(run);
    if (known?.work === undefined) return;
    if (WAITS[type]) beginWait(known, WAITS[type](data), at);
    else if (RESUMES[type]) endWait(known, RESUMES[type](data), at);
    else if (ENDS.includes(type)) this.#end(known, figure);
    if (isRejection(figure)) known.work.rejections += 1;
    if (type === 'approval.granted' && data['edited'] === true) known.work.edits += 1;
    // Undoing a goal also undoes its tasks, and counts once.
    if (type === 'run.undone' && data['within'] === undefined) known.work.undos += 1;
    if (type === 'run.corrected') known.work.corrections += 1;
  }

  #seePack({ run, manifest }: Figure): void {
    const { items, tokens } = asObject(asObject(manifest)['pack']);
    const goal = this.#goals.get(run);
    if (!Array.isArray(items) || typeof tokens !== 'number' || goal === undefined || this.packs.has(run))
      return;
    const names = (items as unknown as { kind: string; id: string }[]).map(({ kind, id }) => `${kind} ${id}`);
    this.packs.set(run, { goal, tokens, items: new Set(names) });
  }

  #start({ run, at, data, goal }: Figure): void {
    if (goal !== undefined) this.#goals.set(run, goal.trim().replaceAll(/\s+/gu, ' ').toLowerCase());
    const { kind, lineage } = data as { kind?: string; lineage?: JsonObject };
    const { parent, root, origin } = lineage ?? {};
    const isRoot = parent === undefined;
    const work = isRoot ? this.#workOf(String(kind), String(origin), at) : this.#runs.get(String(root))?.work;
    this.#runs.set(run, { work, isRoot, reasons: new Set(), since: at });
    if (work !== undefined && this.#runsWithFacts.has(run)) work.usedFacts = true;
  }

  /** The work that a run starts or resumes. */
  #workOf(kind: string, origin: string, at: EpochMs): Work | undefined {
    if (NOT_WORK.includes(kind)) return undefined;
    const before = this.byOrigin.get(origin);
    if (before === undefined) {
      const counts = { rejections: 0, edits: 0, undos: 0, corrections: 0 };
      const work: Work = {
        startedAt: at,
        isGoal: kind === 'assistant',
        status: 'open',
        ...counts,
        waits: [],
        usedFacts: false,
      };
      this.byOrigin.set(origin, work);
      return work;
    }
    // The time between the end and the next attempt counts as waiting.
    if (before.endedAt !== undefined) before.waits.push({ from: before.endedAt, to: at });
    before.status = 'open';
    delete before.endedAt;
    return before;
  }

  #end(known: KnownRun, { type, at, data }: Figure): void {
    for (const reason of [...known.reasons]) endWait(known, reason, at);
    if (!known.isRoot || known.work === undefined) return;
    // A plan without execution does not count as work.
    if (data['state'] === ONLY_PLANNED) {
      for (const [origin, work] of this.byOrigin) if (work === known.work) this.byOrigin.delete(origin);
      return;
    }
    const { outcome } = data;
    known.work.status = (
      outcome === 'partial' || outcome === 'unproven' ? outcome : type.slice('run.'.length)
    ) as Work['status'];
    known.work.endedAt = at;
  }
}

function beginWait(known: KnownRun, reason: string, at: EpochMs): void {
  if (known.reasons.size === 0) known.since = at;
  known.reasons.add(reason);
}

function endWait(known: KnownRun, reason: string, at: EpochMs): void {
  if (!known.reasons.delete(reason) || known.reasons.size > 0) return;
  known.work?.waits.push({ from: known.since, to: at });
}

function askedId(data: JsonObject): string {
  return String(data['id']);
}

function isRejection({ type, data }: Figure): boolean {
  if (type === 'step.completed')
    return data['kind'] === 'transition' && data['state'] === 'critique' && data['to'] === 'plan';
  return (
    type === 'run.failed' && data['from'] === 'critique' && LAST_REJECTIONS.includes(String(data['code']))
  );
}

function spendOf({ at, data, manifest }: Figure): ModelSpend | undefined {
  const spend = data['spend'] as JsonObject | undefined;
  if (spend === undefined || !(Number(spend['model_calls'] ?? 0) > 0)) return undefined;
  const { tokens } = asObject(asObject(manifest)['pack']);
  return {
    at,
    spend,
    unpriced: spend['cost_usd'] === undefined,
    ...(typeof tokens === 'number' ? { packTokens: tokens } : {}),
  };
}
