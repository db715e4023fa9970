// Owns: eval cases of one workspace. Writes only their files; a run of a case leaves nothing in the ledger.
import type { OverlayFiles } from '../../adapters/files/index.ts';
import { EvalFiles } from '../../adapters/workspace/index.ts';
import type {
  EvalAddAnswer,
  EvalApi,
  EvalItem,
  EvalResult,
  EvalRunAnswer,
  EvalRunRequest,
  EvalShowAnswer,
  EvalUpdateAnswer,
} from '../../api/index.ts';
import { type BudgetLimits, type EngineOptions, parseBudgets } from '../../engine/index.ts';
import {
  type ActualDecision,
  type ActualRun,
  caseEvents,
  caseToText,
  checkAcceptance,
  compareCase,
  type EvalCase,
  type ExpectedDecision,
  endOfCase,
  NOT_OFFLINE,
  nameForGoal,
  parseCase,
  toJUnit,
} from '../../eval/index.ts';
import { canonicalJson, isOkaError, type Json, OkaError } from '../../kernel/index.ts';
import type { GraphLibrary } from '../graphs/graph-library.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { CaseFiles, type ReplayedRun } from './case-files.ts';
import { checkCaseFiles } from './check-criteria.ts';
import { without } from './check-live.ts';
import { CurrentEvidence } from './current-evidence.ts';
import { CurrentGraphs } from './current-graphs.ts';
import { CurrentModels } from './current-models.ts';
import { recordCase, stateOf } from './record-case.ts';
import { Blobs, openEvalEngine, replayCaseRun } from './replay-case.ts';
import type { LiveResult } from './run-live.ts';

export interface EvalOptions {
  readonly services: WorkspaceServices;
  readonly library: () => Promise<GraphLibrary>;
  /** An engine whose effects stay in this process, for live runs. */
  readonly openDryRun: () => Promise<{ readonly options: EngineOptions; readonly overlay: OverlayFiles }>;
}

export class Evals implements EvalApi {
  readonly #options: EvalOptions;
  readonly #services: WorkspaceServices;
  readonly #files: EvalFiles;

  constructor(options: EvalOptions) {
    this.#options = options;
    this.#services = options.services;
    this.#files = new EvalFiles(options.services.folder.workspace);
  }

  add: EvalApi['add'] = async ({ run, name, replace }): Promise<EvalAddAnswer> => {
    this.#services.requireTrust();
    await this.#services.primeRedactor();
    const engine = await this.#services.reading();
    const { goal } = await engine.load(run);
    const chosen = name ?? nameForGoal(goal, run);
    this.#files.pathOf(chosen);
    if (!replace && (await this.#files.has(chosen))) {
      const message = `There is an eval case "${chosen}" already. Choose another --name, or replace it with --replace.`;
      throw new OkaError('eval.exists', message, { data: { case: chosen } });
    }
    const { made, notes } = await recordCase(this.#services, engine, run, chosen);
    await this.#write(made);
    return { case: this.#view(made), notes };
  };

  list: EvalApi['list'] = async () => {
    const cases: EvalItem[] = [];
    for (const name of await this.#files.names()) cases.push(this.#view(await this.#read(name)));
    return cases;
  };

  show: EvalApi['show'] = async (name): Promise<EvalShowAnswer> => {
    const one = await this.#read(name);
    return {
      ...this.#view(one),
      acceptance: one.acceptance as unknown as readonly Json[],
      steps: one.runs.flatMap(({ id, expected }) =>
        expected.map(({ step, state, decision, policy, request }) => ({
          run: id,
          step,
          state,
          decision,
          ...(policy === undefined ? {} : { policy }),
          asksModel: request !== undefined,
        })),
      ),
    };
  };

  run: EvalApi['run'] = async (request): Promise<EvalRunAnswer> => {
    this.#services.requireTrust();
    await this.#services.primeRedactor();
    const results: EvalResult[] = [];
    let budgets = parseBudgets(request.budgets ?? {});
    let stopped: string | undefined;
    const names = await this.#chosen(request.cases);
    for (const [i, name] of names.entries()) {
      request.signal?.throwIfAborted();
      request.onProgress?.(i, names.length, name);
      if (stopped !== undefined) {
        results.push(failedCase(name, 'eval.not_run', `Not run. ${stopped}`));
        continue;
      }
      const ran = await this.#runCase(name, budgets, request);
      results.push(ran.result);
      budgets = without(budgets, ran.spent ?? {});
      stopped = ran.stopped;
    }
    const passed = results.every((result) => result.passed);
    if (!request.junit) return { passed, results };
    const junit = toJUnit(
      results.map(({ error, ...one }) => ({
        ...one,
        ...(error && (error.code === 'eval.not_run' ? { skipped: error.message } : { error: error.message })),
      })),
    );
    return { passed, results, junit };
  };

  update: EvalApi['update'] = async (names): Promise<EvalUpdateAnswer> => {
    this.#services.requireTrust();
    await this.#services.primeRedactor();
    const updated: { name: string; decisions: number }[] = [];
    for (const name of await this.#chosen(names)) {
      const one = await this.#read(name);
      const { actual, blobs } = await this.#replay(one);
      let decisions = 0;
      const runs = one.runs.map((run) => {
        const now = actual.find(({ id }) => id === run.id);
        const expected = run.expected.map((before) => {
          const found = now?.decisions.find(({ at }) => at === before.at);
          if (found === undefined) return before;
          const { why: _, recordedModel: __, ...after } = expectedNow(before, found);
          if (canonicalJson(after as unknown as Json) !== canonicalJson(before as unknown as Json))
            decisions += 1;
          return after;
        });
        return { ...run, expected };
      });
      if (decisions > 0) await this.#write({ ...one, runs, blobs: blobs.texts });
      updated.push({ name, decisions });
    }
    return { updated };
  };

  async #chosen(names: readonly string[]): Promise<readonly string[]> {
    if (names.length === 0) return this.#files.names();
    for (const name of names) await this.#files.read(name);
    return names;
  }

  async #runCase(
    name: string,
    budgets: BudgetLimits,
    { live, signal }: EvalRunRequest,
  ): Promise<Pick<LiveResult, 'result'> & Partial<LiveResult>> {
    try {
      const one = await this.#read(name);
      if (!live) return { result: await this.#compare(one) };
      const { runLive } = await import('./run-live.ts');
      const graphs = new CurrentGraphs(await this.#options.library(), new Blobs(one.blobs).get);
      return await runLive(one, { ...(await this.#options.openDryRun()), graphs, budgets, signal });
    } catch (error) {
      if (!isOkaError(error)) throw error;
      return { result: failedCase(name, error.code, error.message) };
    }
  }

  async #compare(one: EvalCase): Promise<EvalResult> {
    const { actual, blobs, changes, replayed, tools } = await this.#replay(one);
    const divergences = compareCase(one, actual, blobs.get);
    const files = new CaseFiles(tools, blobs.get);
    await files.replay(one, replayed);
    const ended = checkAcceptance(one.acceptance, endOfCase(one, actual), NOT_OFFLINE);
    const acceptance = await checkCaseFiles(ended, one.acceptance, files, tools);
    return {
      name: one.name,
      goal: one.recorded.goal,
      passed: divergences.length === 0 && acceptance.every(({ holds }) => holds !== false),
      compared: one.runs.reduce((sum, { expected }) => sum + expected.length, 0),
      divergences,
      acceptance,
      changes: divergences.length === 0 ? [] : changes,
    };
  }

  /** The decisions of today at every place where the recorded run decided. */
  async #replay(one: EvalCase) {
    const blobs = new Blobs(one.blobs);
    const engine = await openEvalEngine(this.#services, Object.values(one.blobs));
    const graphs = new CurrentGraphs(await this.#options.library(), blobs.get);
    const models = new CurrentModels(this.#services);
    const actual: ActualRun[] = [];
    const replayed: ReplayedRun[] = [];
    for (const run of one.runs) {
      const evidence = new CurrentEvidence(this.#services);
      const before = graphs.missing.size;
      const { decisions, steps } = await replayCaseRun(run, stateOf(caseEvents(run)), {
        engine,
        graph: (at, kind) => graphs.graphOf(at, kind),
        events: (events, about) => evidence.replaceIn(events, about),
        addBlob: blobs.add,
        models,
      });
      replayed.push({ run, steps });
      const missing = [...evidence.missing, ...[...graphs.missing].slice(before)];
      actual.push({ id: run.id, decisions, missing });
    }
    return { actual, blobs, changes: [...graphs.changes], replayed, tools: engine.parts.tools };
  }

  async #read(name: string): Promise<EvalCase> {
    const one = parseCase(await this.#files.read(name), this.#files.pathOf(name));
    const blobs = { ...one.blobs };
    for (const digest of neededBlobs(one)) {
      if (blobs[digest] !== undefined) continue;
      const text = await this.#files.readBlob(digest);
      if (text !== undefined) blobs[digest] = text;
    }
    return { ...one, name, blobs };
  }

  async #write(one: EvalCase): Promise<void> {
    const { text, blobs } = caseToText(one);
    await this.#files.write(one.name, text, blobs);
  }

  #view(one: EvalCase): EvalItem {
    const { name, recorded, runs } = one;
    return {
      name,
      path: this.#files.pathOf(name),
      ...{ goal: recorded.goal, kind: recorded.kind, status: recorded.status, run: recorded.run },
      recordedAt: recorded.at,
      runs: runs.length,
      decisions: runs.reduce((sum, { expected }) => sum + expected.length, 0),
    };
  }
}

/** The result of a case that was not run to its end. */
function failedCase(name: string, code: string, message: string): EvalResult {
  const none = { goal: '', compared: 0, divergences: [], acceptance: [], changes: [] };
  return { name, passed: false, ...none, error: { code, message } };
}

/** The decision of today. Cases of earlier versions have no model, and get one only if it differs from the recorded one. */
function expectedNow(before: ExpectedDecision, now: ActualDecision): ActualDecision {
  const { model, ...others } = now;
  const isKnown = before.model !== undefined || (now.recordedModel ?? model) !== model;
  return isKnown && model !== undefined ? now : others;
}

/** The digests of the texts that a case refers to. */
function neededBlobs(one: EvalCase): ReadonlySet<string> {
  const digests = new Set<string>(Object.values(one.files ?? {}).filter((digest) => digest !== null));
  for (const { expected, events } of one.runs) {
    for (const { request } of expected) if (request?.system !== undefined) digests.add(request.system);
    for (const { data, body } of events) {
      const { pins } = data as { pins?: { graph: string } };
      if (pins !== undefined) digests.add(pins.graph);
      const { artifact } = ((body as { output?: unknown } | undefined)?.output ?? {}) as {
        artifact?: unknown;
      };
      if (typeof artifact === 'string') digests.add(artifact);
    }
  }
  return digests;
}
