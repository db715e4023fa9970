// Owns: reading a run's record as rounds of the loop. Pure, so that a replay and a resumed run read the same.
import type { Evidence } from '../engine/index.ts';
import { asObject, type Failure, type Json, sameJson } from '../kernel/index.ts';
import type { Task, TaskGraph } from './task-graph.ts';
import type { Answered, Rejection, Round, TaskResult } from './types.ts';

export const RUN_CHILDREN = 'engine.run_children';
export const CHECK = 'assistant.check';
export const REVIEW = 'assistant.review';
export const RUN_COMMAND = 'process.run';

/** All rounds of a run, newest last, and the planner's answers since the last one. */
export interface Progress {
  readonly rounds: readonly Round[];
  readonly proposals: readonly Json[];
  /** The last run that continued a failed one and has made its first move. */
  readonly resumed?: string;
}

interface OpenRound extends Mutable<Omit<Round, 'results' | 'tried'>> {
  readonly results: Map<string, TaskResult>;
  readonly tried: Map<string, number>;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

export function readProgress(evidence: readonly Evidence[]): Progress {
  const rounds: OpenRound[] = [];
  let proposals: Json[] = [];
  let resumed: string | undefined;
  for (const fact of evidence) {
    const round = rounds.at(-1);
    const by = fact.source === 'decision' ? asObject(fact.output)['resumed'] : undefined;
    if (typeof by === 'string') {
      resumed = by;
      proposals = [];
      if (fact.state !== 'plan' && round !== undefined) forgetFailures(round);
    } else if (fact.state === 'plan') {
      if (fact.source === 'model') proposals.push(fact.output ?? null);
      const graph = fact.source === 'decision' ? asObject(fact.output)['graph'] : undefined;
      if (graph !== undefined) {
        rounds.push(openRound(graph as unknown as TaskGraph, round));
        proposals = [];
      }
    } else if (round !== undefined) addFact(round, fact);
  }
  return { rounds, proposals, ...(resumed === undefined ? {} : { resumed }) };
}

/** Keeps finished tasks; discards failures and judgements, so that they are retried. */
function forgetFailures(round: OpenRound): void {
  for (const [id, { status, attempts }] of [...round.results]) {
    if (status === 'done') continue;
    round.results.delete(id);
    round.tried.set(id, (round.tried.get(id) ?? 0) + attempts);
  }
  round.unstarted = undefined;
  round.checks = undefined;
  round.review = undefined;
  round.commands = [];
  round.judgements = [];
  round.answers = [];
}

function openRound(graph: TaskGraph, before: Round | undefined): OpenRound {
  const results = keptResults(graph, before);
  return { graph, results, tried: new Map(), commands: [], judgements: [], answers: [] };
}

/** Keeps the result of an unchanged task that was not rejected, if the results of all its dependencies are kept. */
function keptResults(graph: TaskGraph, before: Round | undefined): Map<string, TaskResult> {
  const kept = new Map<string, TaskResult>();
  const rejected = new Set(before?.rejected?.map(({ task }) => task));
  for (let found = true; found; ) {
    found = false;
    for (const task of graph.tasks) {
      const result = before?.results.get(task.id);
      if (kept.has(task.id) || result?.status !== 'done' || rejected.has(task.id)) continue;
      const old = before?.graph.tasks.find(({ id }) => id === task.id) as Task;
      if (!task.depends_on.every((id) => kept.has(id)) || !sameJson(task as Json, old as Json)) continue;
      kept.set(task.id, result);
      found = true;
    }
  }
  return kept;
}

function addFact(round: OpenRound, fact: Evidence): void {
  if (fact.source === 'person') round.answers = [...round.answers, toAnswered(fact.output)];
  else if (fact.source === 'tool' && fact.tool === RUN_CHILDREN) addResults(round, fact);
  else if (fact.source === 'tool' && fact.state === 'execute') addResult(round, fact);
  else if (fact.source === 'tool' && fact.tool === CHECK) round.checks = outcomeOf(fact);
  else if (fact.source === 'tool' && fact.tool === REVIEW) round.review = outcomeOf(fact);
  else if (fact.source === 'tool' && fact.tool === RUN_COMMAND)
    round.commands = [...round.commands, { input: fact.input ?? null, ...outcomeOf(fact) }];
  else if (fact.source === 'model') round.judgements = [...round.judgements, fact.output ?? null];
  else if (fact.source === 'decision') {
    const { rejected } = asObject(fact.output);
    if (Array.isArray(rejected)) round.rejected = rejected as unknown as readonly Rejection[];
  }
}

function addResults(round: OpenRound, { input, output, failure }: Evidence): void {
  if (failure !== undefined) {
    round.unstarted = failure;
    return;
  }
  const ends = Array.isArray(output) ? (output as Json[]) : [];
  for (const [i, id] of tasksIn(input).entries()) {
    const { status, output: result, failure: why } = asObject(ends[i]);
    round.results.set(id, {
      status: status === 'completed' ? 'done' : status === 'cancelled' ? 'cancelled' : 'failed',
      attempts: (round.results.get(id)?.attempts ?? 0) + 1,
      ...(result === undefined ? {} : { output: result }),
      ...(why === undefined ? {} : { failure: why as unknown as Failure }),
    });
  }
}

/** The result of a direct call. It belongs to the first unfinished task, because direct tasks run in sequence. */
function addResult(round: OpenRound, fact: Evidence): void {
  const task = round.graph.tasks.find(({ id }) => round.results.get(id)?.status !== 'done');
  if (task?.call === undefined) return;
  const attempts = (round.results.get(task.id)?.attempts ?? 0) + 1;
  const status = fact.failure === undefined ? 'done' : 'failed';
  round.results.set(task.id, { status, attempts, ...outcomeOf(fact) });
}

/** The ids of the tasks that a call starts, in the order of its child runs. */
export function tasksIn(input: Json | undefined): readonly string[] {
  const { children } = asObject(input);
  if (!Array.isArray(children)) return [];
  return (children as Json[]).map((child) =>
    String(asObject(asObject(asObject(child)['vars'])['task'])['id']),
  );
}

function outcomeOf({ output, failure }: Evidence): { output?: Json; failure?: Failure } {
  return { ...(output === undefined ? {} : { output }), ...(failure === undefined ? {} : { failure }) };
}

function toAnswered(output: Json | undefined): Answered {
  const { question, answer } = asObject(output);
  return {
    question: typeof question === 'string' ? question : '',
    answer: typeof answer === 'string' ? answer : '',
  };
}
