// Owns: deciding whether work is accepted: failed tasks, then deterministic checks, then commands, then judged criteria. The
// first stage that rejects ends the critique.
import * as z from 'zod';
import { taskOutput } from '../agent/index.ts';
import { asObject, canonicalJson, type Json, type JsonObject } from '../kernel/index.ts';
import { concludeRound, finishRound } from './conclude-round.ts';
import { type Criterion, describeCriterion, isCheckable } from './criterion.ts';
import { askPerson, call, cut, fail, type Move, readAnswer, type Situation } from './moves.ts';
import { CHECK, REVIEW, RUN_COMMAND } from './progress.ts';
import { describe } from './task-graph.ts';
import type { Rejection, Round } from './types.ts';

const COMMAND_SECONDS = 600;
const MAX_EVIDENCE_LENGTH = 1_000;
const MAX_ERROR_LENGTH = 500;
const MAX_ARTIFACTS = 200;

/** A criterion of a task, with the id that the critic uses. */
interface PlacedCriterion {
  readonly id: string;
  readonly task: string;
  readonly criterion: Criterion;
}

/** In `critique`: checks every criterion, then finishes, plans again or asks a person. */
export function critiqueTasks(situation: Situation): Move {
  const round = situation.rounds.at(-1) as Round;
  const failed = failedTasks(round);
  if (failed.length > 0) return concludeRound(situation, round, failed);
  const stages = [
    runChecks,
    runCommands,
    ...(situation.withModel && situation.canReview ? [reviewWork] : []),
    situation.withModel ? readCritic : askAboutEach,
  ];
  for (const stage of stages) {
    const found = stage(round);
    if ('move' in found) return found.move;
    if (found.rejected.length > 0) return concludeRound(situation, round, found.rejected);
  }
  return finishRound(situation, round, 'every criterion is met');
}

type Stage = { readonly move: Move } | { readonly rejected: readonly Rejection[] };

/** The criteria of a round that a model or a person must judge. */
export function judgedCriteria(round: Round): readonly PlacedCriterion[] {
  return placed(round).filter(({ criterion }) => 'judge' in criterion);
}

function placed({ graph }: Round): readonly PlacedCriterion[] {
  return graph.tasks.flatMap(({ id: task, acceptance }) =>
    acceptance.map((criterion, i) => ({ id: `${task}.${i + 1}`, task, criterion })),
  );
}

function failedTasks({ graph, results }: Round): readonly Rejection[] {
  return graph.tasks.flatMap(({ id }) => {
    const result = results.get(id);
    if (result === undefined || result.status === 'done') return [];
    const { code = 'unknown', message = 'no reason was given' } = result.failure ?? {};
    const evidence = `it failed after ${result.attempts} attempts (${code}): ${message}`;
    return [{ task: id, criterion: 'the task completes', evidence: cut(evidence, MAX_EVIDENCE_LENGTH) }];
  });
}

function runChecks(round: Round): Stage {
  const all = placed(round).filter(({ criterion }) => isCheckable(criterion));
  if (all.length === 0) return { rejected: [] };
  if (round.checks === undefined) {
    const criteria = all.map(({ criterion }) => criterion) as unknown as Json;
    return { move: call(CHECK, { criteria }, 'runs the deterministic checks first') };
  }
  const { results } = asObject(round.checks.output);
  if (!Array.isArray(results) || results.length !== all.length) {
    const reason = `The acceptance checks failed: ${round.checks.failure?.message ?? 'a criterion has no result.'}`;
    return { move: fail('assistant.check_failed', reason, 'unchecked work is not accepted') };
  }
  return {
    rejected: all.flatMap((one, i) => {
      const { ok, evidence } = asObject((results as Json[])[i]);
      return ok === true ? [] : [reject(one, String(evidence))];
    }),
  };
}

/**
 * Commands have effects, so they run through the tool that policy controls, one at a time; equal commands run once. The n-th
 * outcome belongs to the n-th command, even if a person edited its arguments.
 */
function runCommands(round: Round): Stage {
  const wanted = new Map<string, PlacedCriterion[]>();
  for (const one of placed(round)) {
    if (!('command_exits_zero' in one.criterion)) continue;
    const command = canonicalJson(one.criterion.command_exits_zero as Json);
    wanted.set(command, [...(wanted.get(command) ?? []), one]);
  }
  const next = [...wanted.values()][round.commands.length]?.[0];
  if (next !== undefined) return { move: runCommand(next) };
  const rejected = [...wanted.values()].flatMap((criteria, i) => {
    const { output, failure } = round.commands[i] ?? {};
    const { code, said } = endOfCommand(output);
    if (code === 0) return [];
    return criteria.map((one) => reject(one, failure?.message ?? `it exited with ${code}: ${said}`));
  });
  return { rejected };
}

/** How a command ended. Output that is too long for the record is stored as a preview of its beginning. */
function endOfCommand(output: Json | undefined): { readonly code: number | string; readonly said: string } {
  const { exitCode, signal, stderr, preview } = asObject(output);
  const shown = typeof preview === 'string' ? preview : String(stderr ?? '');
  // Members are written in the order of their names, so this one comes first.
  const exit = typeof preview === 'string' ? /^\{"exitCode":(-?\d+)/.exec(preview)?.[1] : undefined;
  const code = exit === undefined ? exitCode : Number(exit);
  return {
    code: typeof code === 'number' ? code : String(signal ?? 'no code'),
    said: shown.slice(-MAX_ERROR_LENGTH),
  };
}

function runCommand({ task, criterion }: PlacedCriterion): Move {
  const { command_exits_zero: command } = criterion as Extract<Criterion, { command_exits_zero: unknown }>;
  const input = { ...command, timeout_seconds: COMMAND_SECONDS } as Json;
  return call(RUN_COMMAND, input, `acceptance of the task "${task}" needs exit code 0`);
}

/** Gets the work itself for the critic. A file that a task names as its result must exist. */
function reviewWork(round: Round): Stage {
  const named = namedArtifacts(round);
  if (judgedCriteria(round).length === 0 && named.length === 0) return { rejected: [] };
  if (round.review === undefined) {
    const artifacts = [...new Set(named.map(({ path }) => path))].slice(0, MAX_ARTIFACTS);
    return { move: call(REVIEW, { artifacts }, 'the critic judges the work, and not what is said about it') };
  }
  const { artifacts } = asObject(round.review.output);
  if (!Array.isArray(artifacts)) {
    const reason = `The work could not be read: ${round.review.failure?.message ?? 'the answer has no files.'}`;
    return { move: fail('assistant.check_failed', reason, 'unseen work is not accepted') };
  }
  const missing = new Set(
    (artifacts as Json[]).map(asObject).flatMap(({ path, exists }) => (exists === true ? [] : [path])),
  );
  return {
    rejected: named.flatMap(({ task, path }) =>
      missing.has(path)
        ? [
            {
              task,
              criterion: 'the files that it names as its result exist',
              evidence: `"${path}" does not exist.`,
            },
          ]
        : [],
    ),
  };
}

function namedArtifacts({
  graph,
  results,
}: Round): readonly { readonly task: string; readonly path: string }[] {
  return graph.tasks.flatMap(({ id: task }) =>
    (taskOutput(results.get(task)?.output)?.artifacts ?? []).map((path) => ({ task, path })),
  );
}

function readCritic(round: Round): Stage {
  const judged = judgedCriteria(round);
  if (judged.length === 0) return { rejected: [] };
  const ids = judged.map(({ id }) => id);
  const parse = (json: Json) => parseVerdicts(json, ids);
  const answer = readAnswer('critic', round.judgements, parse, 'assistant.verdict_unusable');
  if ('move' in answer) return answer;
  return {
    rejected: judged.flatMap((one) => {
      const verdict = answer.read.verdicts.get(one.id);
      return verdict?.met ? [] : [reject(one, verdict?.evidence ?? 'it was not judged')];
    }),
  };
}

/** Without a model, a person judges what no check can. */
function askAboutEach(round: Round): Stage {
  const rejected: Rejection[] = [];
  for (const one of judgedCriteria(round)) {
    const question = `Is this so for the task "${one.task}"? ${describeCriterion(one.criterion)}`;
    const answer = round.answers.find((answered) => answered.question === question)?.answer;
    if (answer === undefined) {
      return { move: askPerson(question, ['yes', 'no'], 'without a model only a person can judge this') };
    }
    if (answer !== 'yes') rejected.push(reject(one, 'a person answered no'));
  }
  return { rejected };
}

function reject({ task, criterion }: PlacedCriterion, evidence: string): Rejection {
  return {
    task,
    criterion: cut(describeCriterion(criterion), MAX_EVIDENCE_LENGTH),
    evidence: cut(evidence, MAX_EVIDENCE_LENGTH),
  };
}

const verdictSchema = z.strictObject({
  verdicts: z
    .array(
      z.strictObject({
        criterion: z.string().min(1).max(100).describe('the id of the criterion'),
        met: z.boolean(),
        evidence: z.string().trim().min(1).max(2_000).describe('the proof, from what you were shown'),
      }),
    )
    .max(200),
});

type Verdict = z.output<typeof verdictSchema>['verdicts'][number];

export function verdictJsonSchema(): JsonObject {
  return z.toJSONSchema(verdictSchema) as JsonObject;
}

/** Returns one verdict per criterion id, or why the answer is unusable. */
function parseVerdicts(
  value: Json,
  ids: readonly string[],
): { readonly verdicts: ReadonlyMap<string, Verdict> } | { readonly problem: string } {
  const parsed = verdictSchema.safeParse(value);
  if (!parsed.success) return { problem: describe(parsed.error) };
  const verdicts = new Map<string, Verdict>();
  for (const verdict of parsed.data.verdicts) {
    if (!ids.includes(verdict.criterion)) return { problem: `"${verdict.criterion}" was not asked about` };
    if (verdicts.has(verdict.criterion)) return { problem: `"${verdict.criterion}" was judged twice` };
    verdicts.set(verdict.criterion, verdict);
  }
  const missing = ids.find((id) => !verdicts.has(id));
  return missing === undefined ? { verdicts } : { problem: `"${missing}" was not judged` };
}
