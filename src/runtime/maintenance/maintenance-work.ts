// Owns: the steps of maintenance on one workspace. Does not own: when they run (maintenance.ts).
import { SqlMaintenanceRecords } from '../../adapters/sql/index.ts';
import { DerivedFiles } from '../../adapters/workspace/index.ts';
import {
  type DerivedSources,
  type Distillation,
  deriveFiles,
  distilWords,
  MAINTENANCE,
  type MaintenanceWork,
  type ScoreProcedures,
  tidyFacts,
} from '../../assistant/index.ts';
import { runStream } from '../../engine/index.ts';
import { isOkaError } from '../../kernel/index.ts';
import { openArtifacts } from '../ledger/open-artifacts.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { memoryOn } from '../memory/memory.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { Retention } from './retention.ts';

/** Events per step. */
const BATCH = 5_000;

/** The steps of maintenance on one ledger. */
export class LedgerMaintenance implements MaintenanceWork {
  readonly records: SqlMaintenanceRecords;
  readonly files: DerivedFiles;
  readonly sources: DerivedSources;
  readonly #services: WorkspaceServices;
  readonly #ledger: OpenLedger;
  readonly #memory: ReturnType<typeof memoryOn>;
  readonly #procedures: ScoreProcedures;

  constructor(services: WorkspaceServices, ledger: OpenLedger, procedures: ScoreProcedures) {
    const { folder, clock } = services;
    this.#services = services;
    this.#ledger = ledger;
    this.#procedures = procedures;
    this.#memory = memoryOn(services, ledger);
    this.files = new DerivedFiles(folder.directory);
    const records = new SqlMaintenanceRecords(ledger.tables);
    this.records = records;
    this.sources = {
      runs: () => ledger.runs.list({}),
      approvals: () => ledger.runs.approvals({ status: 'pending' }),
      events: (run) => ledger.events.read(runStream(run)),
      corrections: () => records.corrections(),
      episodes: (span) => records.episodes(span),
      facts: (span) => records.facts(clock.now(), span),
    };
  }

  /** Whether there is work to do. Reads the end of the ledger and the expired facts. */
  async isNeeded(): Promise<boolean> {
    const done = await this.records.completed();
    if (await this.records.isChangedSince(done?.through ?? 0)) return true;
    const spent = await this.#memory.records.prunableFacts(this.#services.clock.now(), { superseded: false });
    if (spent.length > 0 || (done !== undefined && !this.files.isComplete)) return true;
    return (await this.#retention()).isDue();
  }

  async distil(after: number) {
    const { added, orphaned, ...found } = await this.#distil(after, false);
    return { ...found, added: added.map(({ id }) => id), forgotten: await this.forget(orphaned) };
  }

  score(options: { readonly dryRun?: boolean } = {}): ReturnType<ScoreProcedures['score']> {
    return this.#procedures.score({ by: MAINTENANCE, dryRun: options.dryRun ?? false });
  }

  tidy({ dryRun = false }: { readonly dryRun?: boolean } = {}) {
    return tidyFacts(this.#memory.memory, { now: this.#services.clock.now(), dryRun });
  }

  async retain({ dryRun = false }: { readonly dryRun?: boolean } = {}) {
    return (await this.#retention()).apply({ dryRun });
  }

  async derive({ dryRun = false }: { readonly dryRun?: boolean } = {}) {
    return this.files.replace(await deriveFiles(this.sources), { dryRun });
  }

  /** All lasting statements of people since a position, without storing them. */
  async wouldLearn(after: number): Promise<Pick<Distillation, 'added' | 'orphaned'>> {
    const [added, orphaned] = [[] as Distillation['added'][number][], [] as string[]];
    for (let found: Distillation | undefined; found?.more !== false; ) {
      found = await this.#distil(found?.through ?? after, true);
      added.push(...found.added);
      orphaned.push(...found.orphaned);
    }
    return { added, orphaned };
  }

  /** Deletes facts whose source was erased; returns their number. */
  async forget(facts: readonly string[]): Promise<number> {
    let forgotten = 0;
    for (const id of facts) {
      try {
        await this.#memory.memory.deleteFact(id, MAINTENANCE);
        forgotten += 1;
      } catch (error) {
        if (!isOkaError(error, 'memory.unknown')) throw error;
      }
    }
    return forgotten;
  }

  async #retention(): Promise<Retention> {
    const { folder, clock } = this.#services;
    const { retention } = await this.#services.config();
    const artifacts = openArtifacts(this.#services, this.#ledger);
    const parts = { ledger: this.#ledger, artifacts, folder, now: clock.now() };
    return new Retention(parts, retention);
  }

  #distil(after: number, dryRun: boolean): Promise<Distillation> {
    const { redactor, clock, ids } = this.#services;
    const { events } = this.#ledger;
    const parts = {
      events,
      facts: this.#memory.records,
      records: this.records,
      redactor,
      clock,
      ids,
    };
    return distilWords(parts, after, { limit: BATCH, dryRun });
  }
}
