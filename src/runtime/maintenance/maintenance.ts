// Owns: when maintenance is done, and that one process does it at a time. I1 Nothing is written when nothing has changed. I2 It
// runs on an engine of its own, with its own few tools: no agent can call them, and it can call nothing else.
import type {
  MaintenanceAnswer,
  MaintenanceApi,
  MaintenanceReportView,
  WorkerOutcome,
} from '../../api/index.ts';
import {
  type DerivedReport,
  deriveDays,
  MAINTENANCE,
  maintenanceKind,
  maintenanceTools,
  NO_SCORING,
  placeOf,
  type ScoreProcedures,
} from '../../assistant/index.ts';
import { type BudgetLimits, Engine, type Policy, type RunState } from '../../engine/index.ts';
import { isOkaError, type JsonObject } from '../../kernel/index.ts';
import type { EventAddress } from '../../ledger/index.ts';
import { dayOf } from '../../memory/index.ts';
import { openArtifacts } from '../ledger/open-artifacts.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { MAINTENANCE_LEASE_MS, whileMaintaining } from './maintenance-lease.ts';
import { MaintenanceTurn } from './maintenance-turn.ts';
import { LedgerMaintenance } from './maintenance-work.ts';

const GOAL = 'look after memory and the files that are derived from the ledger';
const BUDGETS: BudgetLimits = {
  steps: 500,
  tool_calls: 250,
  model_calls: 0,
  cost_usd: 0,
  children: 0,
  wall_ms: MAINTENANCE_LEASE_MS,
};
const MEMORY_PREFIX = 'memory/';

interface MaintenanceOptions {
  readonly procedures?: ScoreProcedures;
}

/** Maintenance of one workspace. */
export class Maintenance implements MaintenanceApi {
  readonly #services: WorkspaceServices;
  readonly #procedures: ScoreProcedures;

  constructor(services: WorkspaceServices, { procedures = NO_SCORING }: MaintenanceOptions = {}) {
    this.#services = services;
    this.#procedures = procedures;
  }

  async maintain({ dryRun }: { readonly dryRun: boolean }): Promise<MaintenanceAnswer> {
    this.#services.requireTrust();
    return dryRun ? this.#look() : this.#work(true);
  }

  async loop(signal: AbortSignal, onOutcome: (outcome: WorkerOutcome) => void): Promise<void> {
    this.#services.requireTrust();
    await this.turn(onOutcome).loop(signal);
  }

  /** Maintenance as part of another loop. Calls that policy would ask about are not made then. */
  turn(onOutcome: (outcome: WorkerOutcome) => void): MaintenanceTurn {
    return new MaintenanceTurn({
      clock: this.#services.clock,
      lastAt: async () => (await this.#on(this.#services.ledger()).records.completed())?.at,
      maintain: () => this.#work(false),
      onOutcome,
    });
  }

  /**
   * Removes erased content from derived facts and files. Call it after every erasure, with the erased events; without them every
   * file is rebuilt. Does nothing if there are no derived files yet.
   */
  async afterErasure(erased?: readonly EventAddress[]): Promise<DerivedReport | undefined> {
    const work = this.#on(this.#services.ledger());
    if (erased !== undefined) await work.forget(await work.records.factsFrom(erased.map(placeOf)));
    if (work.files.isEmpty) return undefined;
    const days = erased && (await this.#daysOf(erased));
    if (days === undefined) return work.derive();
    const only = new Set([...days].map((day) => `memory/${day}.md`));
    return work.files.replace(await deriveDays(work.sources, days), { only });
  }

  #on(ledger: OpenLedger): LedgerMaintenance {
    return new LedgerMaintenance(this.#services, ledger, this.#procedures);
  }

  /** The days whose pages hold these events; undefined if other files may hold them too. */
  async #daysOf(erased: readonly EventAddress[]): Promise<ReadonlySet<string> | undefined> {
    const days = new Set<string>();
    for (const { stream, index } of erased) {
      if (!stream.startsWith(MEMORY_PREFIX)) return undefined;
      const [event] = await this.#services.ledger().events.read(stream, index);
      days.add(dayOf((event?.data['at'] as number | undefined) ?? event?.at ?? 0));
    }
    return days;
  }

  async #work(attended: boolean): Promise<MaintenanceAnswer> {
    const ledger = await this.#services.writable();
    const answer = await whileMaintaining(ledger, this.#services, async () => {
      await this.#services.primeRedactor();
      return this.#drive(ledger, attended);
    });
    return answer === 'busy' ? { outcome: 'busy' } : answer;
  }

  async #drive(ledger: OpenLedger, attended: boolean): Promise<MaintenanceAnswer> {
    const work = this.#on(ledger);
    let engine: Engine | undefined;
    const start = async (): Promise<Engine> => {
      engine ??= await this.#engine(ledger, work, attended);
      return engine;
    };
    const left = await this.#completeInterrupted(ledger, start, attended);
    if (left !== undefined && left.ended?.status !== 'completed') return this.#answer(left);
    if (!(await work.isNeeded())) return left ? this.#answer(left) : { outcome: 'nothing_changed' };
    const after = (await work.records.completed())?.through ?? 0;
    const request = { kind: maintenanceKind.name, goal: GOAL, vars: { after }, budgets: BUDGETS };
    return this.#answer(await (await start()).run(request));
  }

  /**
   * Completes an interrupted run. Cancels one that cannot continue or was made for other tools. A run that a person paused stays
   * paused until a person resumes it.
   */
  async #completeInterrupted(
    ledger: OpenLedger,
    start: () => Promise<Engine>,
    attended: boolean,
  ): Promise<RunState | undefined> {
    const runs = await ledger.runs.list({ kind: maintenanceKind.name, limit: 20 });
    const open = runs.find(({ endedAt }) => endedAt === undefined);
    if (open === undefined) return undefined;
    const engine = await start();
    if (open.status === 'paused' && !attended) return engine.load(open.id);
    try {
      const run = await engine.resume(open.id, { by: MAINTENANCE });
      if (run.ended !== undefined) return run;
    } catch (error) {
      if (!isOkaError(error, 'engine.pins_changed')) throw error;
    }
    await engine.cancel(open.id, MAINTENANCE, 'it cannot continue; maintenance starts again');
    return undefined;
  }

  async #engine(ledger: OpenLedger, work: LedgerMaintenance, attended: boolean): Promise<Engine> {
    const { clock, random, owners, redactor } = this.#services;
    const policy = await this.#services.policy();
    return new Engine({
      tools: maintenanceTools(),
      kinds: [maintenanceKind],
      events: ledger.events,
      runs: ledger.runs,
      artifacts: openArtifacts(this.#services, ledger),
      policy: housePolicy(policy, attended),
      capabilities: { maintenance: work },
      clock,
      random,
      owners,
      redactor,
      actor: MAINTENANCE,
    });
  }

  async #answer(run: RunState): Promise<MaintenanceAnswer> {
    const { run: view } = await this.#services.answer(run);
    if (run.ended?.status !== 'completed') return { outcome: 'not_done', run: view };
    return {
      outcome: 'done',
      run: view,
      report: run.output as JsonObject as unknown as MaintenanceReportView,
    };
  }

  async #look(): Promise<MaintenanceAnswer> {
    await this.#services.primeRedactor();
    const work = this.#on(this.#services.ledger());
    if (!(await work.isNeeded())) return { outcome: 'nothing_changed' };
    const after = (await work.records.completed())?.through ?? 0;
    const { added, orphaned } = await work.wouldLearn(after);
    return {
      outcome: 'would_do',
      report: {
        distilled: { added: added.length, forgotten: orphaned.length },
        procedures: await work.score({ dryRun: true }),
        facts: await work.tidy({ dryRun: true }),
        retention: await work.retain({ dryRun: true }),
        files: await work.derive({ dryRun: true }),
      },
      wouldLearn: added.map(({ text, source }) => ({ text, source })),
    };
  }
}

/** The policy of the workspace. The user who starts maintenance approves it; without a user, "ask" means deny. */
function housePolicy(policy: Policy, attended: boolean): Policy {
  return {
    get version() {
      return policy.version;
    },
    decide(request) {
      const verdict = policy.decide(request);
      if (verdict.decision !== 'ask') return verdict;
      return attended
        ? { ...verdict, decision: 'allow' }
        : {
            ...verdict,
            decision: 'deny',
            why: `${verdict.why}, and nobody is present to approve it. Run: oka maintain`,
          };
    },
  };
}
