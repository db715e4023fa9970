import type { ProcessRecord } from '../../adapters/processes/index.ts';
import { SqlChatRecords, SqlLeases, type SqlScheduleStore } from '../../adapters/sql/index.ts';
import type { TreeWatcher } from '../../adapters/watcher/index.ts';
import {
  type BackgroundProcess,
  type FiredItem,
  type FiringItem,
  type GraphApi,
  type PreviewScheduleAnswer,
  type PreviewScheduleRequest,
  REMINDER_GRAPH,
  type RunAnswer,
  type ScheduleItem,
  type ScheduleRequest,
  type WorkerOutcome,
} from '../../api/index.ts';
import {
  type Engine,
  type ExecutionBackend,
  hostsNamedBy,
  type Owners,
  type RunState,
} from '../../engine/index.ts';
import {
  type Clock,
  type EpochMs,
  type Ids,
  idOfKey,
  isOkaError,
  type Json,
  type JsonObject,
  OkaError,
  toFailure,
} from '../../kernel/index.ts';
import type { StreamAppend } from '../../ledger/index.ts';
import {
  addSchedule,
  deleteSchedule,
  disableSchedule,
  enableSchedule,
  type FiringTarget,
  firingsBetween,
  getSchedule,
  type Schedule,
  type ScheduleErrorCode,
  Scheduler,
  type ScheduleTrigger,
  viewFiring,
  viewSchedule,
} from '../../schedule/index.ts';
import type { ReminderService, ReminderView } from '../../tools/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { ProcessLease } from '../process/process-lease.ts';
import { UnfinishedRuns } from '../runs/unfinished-runs.ts';
import { warnOfFailures } from '../services/warn-of-failures.ts';
import { scheduleItem } from '../trust/acting-items.ts';
import type { WorkspaceTrust } from '../trust/workspace-trust.ts';
import { pollChanges } from './change-poll.ts';
import { listSchedules, viewScheduleItem } from './list-schedules.ts';
import { onceAt, reminderRun, viewReminder } from './reminders.ts';
import { ScheduleLoop, type ScheduleLoopParts } from './schedule-loop.ts';

/** The ledger with the tables of schedules. */
export type ScheduleLedger = Pick<OpenLedger, 'tables' | 'events' | 'runs'> & {
  readonly schedules: SqlScheduleStore;
};

export interface SchedulesParts {
  /** For reading. */
  readonly ledger: () => ScheduleLedger;
  /** For writing. Requires trust. */
  readonly writable: () => Promise<ScheduleLedger>;
  /** For acting. Requires trust. */
  readonly engine: () => Promise<Engine>;
  readonly backend: () => Promise<ExecutionBackend>;
  /** Creates a run of a graph; rejects a graph that does not compile and an invalid input. */
  readonly prepareRun: (
    graph: string,
    options: {
      readonly input: Json;
      readonly vars?: JsonObject;
      /** The hosts that a person has named for the run. */
      readonly namedHosts: readonly string[];
      readonly origin?: string;
      /** Called with the definitions that the run is made of. */
      readonly check?: (graph: Json) => void;
    },
  ) => Promise<{ readonly run: string; readonly appends: readonly StreamAppend[] }>;
  /** The definitions of a graph as its files have them now. */
  readonly graphContent: (graph: string) => Json;
  /** Which schedules the user approved. */
  readonly trust: Pick<WorkspaceTrust, 'ready' | 'requireSchedule' | 'approveItem' | 'forgetItem'>;
  /** The name that `prepareRun` accepts from any caller: the id of the graph, or its path in the workspace. */
  readonly requireGraph: (graph: string) => Promise<{ readonly id: string }>;
  readonly answer: (run: RunState) => Promise<RunAnswer>;
  readonly watcher: () => TreeWatcher;
  /** The record of a background process that runs schedules. */
  readonly record: ProcessRecord;
  readonly owners: Owners;
  /** Whether interrupted runs wait for a person. */
  readonly leavesInterrupted: () => Promise<boolean>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Called with problems that the loop retries. */
  readonly onWarning?: (what: string) => void;
}

/** When a cluster looks again at schedules that could not fire, and at all of them in case a message was lost. */
const RETRY_MS = 5_000;
const MAX_SLEEP_MS = 300_000;
/** How long a tick waits for the timers of a run before it leaves it parked. */
const PATIENCE_MS = 60_000;
/** Well before a lease expires. */
const RENEW_MS = 30_000;
/** How a schedule that a run added or deletes names who did it. */
const BY_RUN = 'run:';
const NOT_STARTED: ScheduleErrorCode = 'schedule.not_started';

type SchedulesApi = GraphApi['schedules'];

/** The schedules of one workspace. */
export class Schedules implements SchedulesApi {
  readonly #parts: SchedulesParts;

  constructor(parts: SchedulesParts) {
    this.#parts = parts;
  }

  async add(request: ScheduleRequest): Promise<ScheduleItem> {
    const trigger = await this.#triggerOf(request);
    const { id: graph } = await this.#parts.requireGraph(request.graph);
    const { input, misfire, overlap, dst, by } = request;
    // Nothing is committed: this only finds an invalid graph or input now instead of at the first firing.
    let content: Json = null;
    await this.#parts.prepareRun(graph, {
      input: input ?? null,
      namedHosts: [],
      check: (found) => {
        content = found;
      },
    });
    const added = await addSchedule(this.#changing(await this.#parts.writable()), {
      graph,
      trigger,
      by,
      ...(input === undefined ? {} : { input }),
      ...(misfire === undefined ? {} : { misfire }),
      ...(overlap === undefined ? {} : { overlap }),
      ...(dst === undefined ? {} : { dst }),
    });
    this.#parts.trust.approveItem(scheduleItem(added, content));
    await this.#announce();
    return this.#view(added);
  }

  async list(): Promise<readonly ScheduleItem[]> {
    return listSchedules(this.#parts.ledger().schedules, this.#parts.clock.now());
  }

  async preview(request: PreviewScheduleRequest): Promise<PreviewScheduleAnswer> {
    const { cron, zone = 'UTC', dst, after = this.#parts.clock.now(), limit } = request;
    const { until = Number.POSITIVE_INFINITY } = request;
    // One more tells whether there are more.
    const found = firingsBetween({ cron, zone }, { after, until, count: limit + 1 }, dst);
    return { next: found.slice(0, limit), more: found.length > limit };
  }

  async firings(id: string, limit: number): Promise<readonly FiringItem[]> {
    const { schedules } = this.#parts.ledger();
    await getSchedule(schedules, id);
    const now = this.#parts.clock.now();
    return (await schedules.firings(id, limit)).map((firing) => viewFiring(firing, now));
  }

  async enable(id: string, by: string): Promise<ScheduleItem> {
    const enabled = await enableSchedule(this.#changing(await this.#parts.writable()), id, by);
    this.#parts.trust.approveItem(scheduleItem(enabled, this.#parts.graphContent(enabled.graph)));
    await this.#announce();
    return this.#view(enabled);
  }

  async disable(id: string, by: string): Promise<ScheduleItem> {
    const disabled = await disableSchedule(this.#changing(await this.#parts.writable()), id, by);
    this.#parts.trust.forgetItem({ kind: 'schedule', name: id });
    return this.#view(disabled);
  }

  async delete(id: string, by: string): Promise<void> {
    await deleteSchedule(this.#changing(await this.#parts.writable()), id, by);
    this.#parts.trust.forgetItem({ kind: 'schedule', name: id });
  }

  async trigger(id: string, by: string, patienceMs: number, key?: string): Promise<RunAnswer> {
    // Trust is asked for first: nothing of an untrusted workspace reaches a cluster.
    const ledger = await this.#parts.writable();
    const backend = await this.#parts.backend();
    await backend.admit();
    const { run } = await this.#scheduler(ledger).trigger(
      id,
      by,
      ...(key === undefined ? [] : [idOfKey(key)]),
    );
    return this.#parts.answer(await driveOrLoad(backend, await this.#parts.engine(), run, patienceMs));
  }

  /** Fires due schedules. With `drive`, also continues every unfinished run until it ends or parks. */
  async tick({ drive }: { readonly drive: boolean }): Promise<{
    readonly fired: readonly FiredItem[];
    readonly failures: readonly { readonly schedule: string; readonly message: string }[];
  }> {
    const ledger = await this.#parts.writable();
    const report = await this.#scheduler(ledger).tick();
    const failures = report.failures.map(({ schedule, failure }) => ({ schedule, message: failure.message }));
    if (drive) failures.push(...(await this.#driveAll(ledger, report.fired)));
    return { fired: report.fired.map(firedItem), failures };
  }

  /** Fires due schedules for a cluster, which drives the runs and comes back at `nextAt`. */
  async fireDue(): Promise<{ readonly runs: readonly string[]; readonly nextAt: EpochMs }> {
    const scheduler = this.#scheduler(await this.#parts.writable());
    const now = this.#parts.clock.now();
    const { fired, failures } = await scheduler.tick(now);
    for (const { schedule, failure } of failures)
      this.#parts.onWarning?.(`schedule ${schedule}: ${failure.message}`);
    const latest = now + (failures.length > 0 ? RETRY_MS : MAX_SLEEP_MS);
    const nextAt = Math.min(latest, (await scheduler.nextWake(now)) ?? latest);
    return { runs: fired.map(({ run }) => run), nextAt };
  }

  async process(): Promise<BackgroundProcess | undefined> {
    return this.#lease().holder();
  }

  /**
   * Fires schedules and drives their runs until the signal aborts; stops within five seconds if the engine is released too.
   * A second process of the workspace gets `schedule.not_started`, whose data names the first.
   */
  async loop(
    signal: AbortSignal,
    onFired: (item: FiredItem) => void,
    onOutcome: (outcome: WorkerOutcome) => void = warnOfFailures((what) => this.#parts.onWarning?.(what)),
  ): Promise<void> {
    const { clock } = this.#parts;
    if ((await this.#parts.backend()).name !== 'local')
      return this.#leaveToCluster(signal, onFired, onOutcome);
    const lease = this.#lease();
    const engine = await this.#parts.engine();
    const ledger = await this.#parts.writable();
    const loop = new ScheduleLoop({
      lease,
      unfinished: this.#unfinished(ledger, engine),
      scheduler: this.#scheduler(ledger),
      schedules: ledger.schedules,
      watcher: this.#parts.watcher(),
      clock,
      signal,
      onFired: (fired) => onFired(firedItem(fired)),
      onOutcome,
    });
    await lease.acquire();
    await loop.run();
  }

  /** The workers of the cluster fire schedules; only changes of files are watched here. */
  async #leaveToCluster(
    signal: AbortSignal,
    onFired: (item: FiredItem) => void,
    onOutcome: (outcome: WorkerOutcome) => void,
  ): Promise<void> {
    const { clock } = this.#parts;
    const backend = await this.#parts.backend();
    const ledger = await this.#parts.writable();
    const lease = this.#lease();
    await lease.acquire();
    await this.#announce();
    let renewedAt: EpochMs | undefined;
    const stayOn = async (): Promise<void> => {
      if (renewedAt === undefined) lease.announce();
      else if (clock.now() - renewedAt < RENEW_MS) return;
      renewedAt = clock.now();
      if (await lease.renew()) return;
      throw new OkaError<ScheduleErrorCode>(
        NOT_STARTED,
        'Another process watches files for the schedules too.',
      );
    };
    const tell = (error: unknown): void =>
      onOutcome({ ok: false, task: 'change', ...toFailure(error, NOT_STARTED) });
    await pollChanges({
      watcher: this.#parts.watcher(),
      schedules: ledger.schedules,
      scheduler: this.#scheduler(ledger),
      clock,
      signal,
      onLooked: (error) => {
        if (error === undefined) onOutcome({ ok: true, task: 'change' });
        else tell(error);
        void stayOn().catch(tell);
      },
      onSchedules: () => void this.#announce(),
      onReport: ({ fired }) => {
        for (const one of fired) {
          onFired(firedItem(one));
          void backend
            .proceed(one.run, { patienceMs: 0 })
            .catch((error: unknown) => this.#parts.onWarning?.(toFailure(error, NOT_STARTED).message));
        }
      },
      onCloseFailed: () => undefined,
    });
    await lease.release();
  }

  /** Creates a reminder for a run. It needs no approval, because its graph calls no tool. */
  remind: ReminderService['remind'] = async ({ text, when, zone, run }) => {
    const ledger = await this.#parts.writable();
    const { trust, clock } = this.#parts;
    const cron = 'cron' in when ? when.cron : onceAt(when.at, zone, clock.now());
    const by = `${BY_RUN}${run}`;
    const added = await addSchedule(this.#changing(ledger), {
      graph: REMINDER_GRAPH,
      trigger: { cron, zone },
      input: { text, zone },
      overlap: 'allow',
      by,
    });
    await trust.ready();
    trust.approveItem(scheduleItem(added, null));
    await this.#announce();
    return (await this.reminders()).reminders.find(({ id }) => id === added.id) as ReminderView;
  };

  reminders: ReminderService['reminders'] = async () => {
    const found = await this.#parts.ledger().schedules.list();
    const now = this.#parts.clock.now();
    const reminders = found.flatMap(
      (schedule) => viewReminder(schedule, viewSchedule(schedule, now).next) ?? [],
    );
    return { reminders, running: (await this.process()) !== undefined };
  };

  cancelReminder: ReminderService['cancelReminder'] = async (id, run) => {
    const { graph } = await getSchedule(this.#parts.ledger().schedules, id);
    const code: ScheduleErrorCode = 'schedule.invalid';
    if (graph !== REMINDER_GRAPH) throw new OkaError(code, `${id} is a schedule, not a reminder.`);
    await this.delete(id, `${BY_RUN}${run}`);
  };

  /** The schedule is recorded: a cluster that cannot be told finds it at its next tick. */
  async #announce(): Promise<void> {
    const backend = await this.#parts.backend();
    await backend.schedulesChanged().catch((error: unknown) => {
      this.#parts.onWarning?.(toFailure(error, NOT_STARTED).message);
    });
  }

  #lease(): ProcessLease {
    const { clock, owners, record } = this.#parts;
    const leases = new SqlLeases(this.#parts.ledger().tables, clock, (owner) => owners.isAlive(owner));
    return new ProcessLease({ name: 'scheduler', leases, owners, record, clock, refusal: taken });
  }

  async #driveAll(
    ledger: ScheduleLedger,
    fired: readonly FiredItem[],
  ): Promise<{ schedule: string; message: string }[]> {
    const warn = (run: string, error: unknown): string =>
      `run ${run}: ${toFailure(error, NOT_STARTED).message}`;
    const runs = new UnfinishedRuns({
      ...this.#unfinished(ledger, await this.#parts.engine()),
      ...{ onEnded: () => undefined, onDriven: () => undefined, onLooked: () => undefined },
      onWarning: (run, error) => this.#parts.onWarning?.(warn(run, error)),
    });
    const schedules = new Map(fired.map(({ run, schedule }) => [run, schedule]));
    const failures = await runs.continueAll([...schedules.keys()], PATIENCE_MS);
    return failures.map(({ run, error }) => ({
      schedule: schedules.get(run) ?? run,
      message: warn(run, error),
    }));
  }

  #unfinished({ tables, events, runs }: ScheduleLedger, engine: Engine): ScheduleLoopParts['unfinished'] {
    const { clock, owners, leavesInterrupted } = this.#parts;
    const records = new SqlChatRecords(tables);
    return { engine, runs, events, owners, clock, leavesInterrupted, ofTurns: () => records.runsOfTurns() };
  }

  #scheduler({ events, runs, schedules }: ScheduleLedger): Scheduler {
    const { clock, ids, prepareRun, trust } = this.#parts;
    const target: FiringTarget = {
      prepare: async ({ id, schedule, graph, input, plannedAt, by }) => {
        const current = await getSchedule(schedules, schedule);
        await trust.ready();
        // Turning a schedule off withdraws its trust to act by itself; a person who triggers it acts.
        const check = (content: Json): void => {
          if (by === 'schedule' || current.enabled) trust.requireSchedule(current, content);
        };
        if (graph === REMINDER_GRAPH) {
          check(null);
          return reminderRun(await this.#parts.engine(), { id, input, plannedAt }, clock.now());
        }
        // A run may add reminders only, so a person gave the schedule its input.
        const namedHosts = current.addedBy.startsWith(BY_RUN) ? [] : hostsNamedBy(input);
        return prepareRun(graph, { input, origin: id, vars: { firing_id: id }, namedHosts, check });
      },
      isRunning: async (run: string) => {
        const found = await runs.get(run);
        return found !== undefined && found.endedAt === undefined;
      },
    };
    return new Scheduler({ events, schedules, target, clock, ids });
  }

  async #triggerOf({ cron, zone, onChange }: ScheduleRequest): Promise<ScheduleTrigger> {
    if (cron !== undefined && onChange === undefined) return { cron, zone: zone ?? 'UTC' };
    if (onChange !== undefined && cron === undefined)
      return { onChange: await this.#parts.watcher().locate(onChange) };
    const code: ScheduleErrorCode = 'schedule.invalid';
    throw new OkaError(code, 'a schedule fires either at times or on a change; give one of the two.');
  }

  #changing({ events, schedules }: ScheduleLedger) {
    return { events, schedules, clock: this.#parts.clock };
  }

  /** A schedule as shown to users, without undefined fields. */
  #view(schedule: Schedule): Promise<ScheduleItem> {
    return viewScheduleItem(schedule, this.#parts.ledger().schedules, this.#parts.clock.now());
  }
}

/** Drives a run; one that another process has taken up first is only loaded. */
async function driveOrLoad(
  backend: ExecutionBackend,
  engine: Engine,
  run: string,
  patienceMs: number,
): Promise<RunState> {
  if (backend.name !== 'local') return backend.proceed(run, { patienceMs });
  return engine.drive(run, { patienceMs }).catch((error: unknown) => {
    if (!isOkaError(error, 'engine.run_owned')) throw error;
    return engine.load(run);
  });
}

function firedItem({ schedule, firing, run }: FiredItem): FiredItem {
  return { schedule, firing, run };
}

function taken(found: BackgroundProcess): OkaError<ScheduleErrorCode> {
  return new OkaError(
    NOT_STARTED,
    `process ${found.pid} works on the schedules already; stop it with: oka graph schedule stop.`,
    { data: { ...found } },
  );
}
