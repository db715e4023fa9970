// Owns: removing what is past the configured retention. I1 Nothing is read but a few tables where nothing is due. I2 What a
// crash left unfinished is finished the next time, before it counts as done (`retention.applied`).
import { SqlRetentionRecords } from '../../adapters/sql/index.ts';
import {
  expiredTrees,
  type FinishedTree,
  MAINTENANCE,
  type RetentionPeriods,
  type RetentionReport,
} from '../../assistant/index.ts';
import type { RunId } from '../../engine/index.ts';
import type { EventAddress } from '../../ledger/index.ts';
import { oldSimulations, streamsOf } from './collect-garbage.ts';
import { addressKey, type RemovalParts, removeContent, surveyLedger } from './remove-content.ts';

const NOTHING: RetentionReport = { archivedRuns: 0, erasedEpisodes: 0, deletedArtifacts: 0, freedBytes: 0 };

interface Due {
  readonly groups: readonly (readonly FinishedTree[])[];
  /** The streams of simulations. They expire with the runs that nothing schedules. */
  readonly simulations: readonly (readonly string[])[];
  readonly episodes: readonly EventAddress[];
  /** Content removed from the database before a crash. */
  readonly unfinished: { readonly runs: number; readonly episodes: number };
}

/** The retention of one workspace at one moment. */
export class Retention {
  readonly #parts: RemovalParts;
  readonly #periods: RetentionPeriods;
  readonly #records: SqlRetentionRecords;

  constructor(parts: RemovalParts, periods: RetentionPeriods) {
    this.#parts = parts;
    this.#periods = periods;
    this.#records = new SqlRetentionRecords(parts.ledger.tables);
  }

  /** Whether maintenance has a reason to run. Its own runs are no reason; they are removed when it runs anyway. */
  async isDue(): Promise<boolean> {
    const { groups, simulations, episodes, unfinished } = await this.#due();
    return (
      simulations.length > 0 ||
      episodes.length > 0 ||
      isAny(unfinished) ||
      groups.some((group) => group.some(({ kind }) => kind !== MAINTENANCE))
    );
  }

  async apply({ dryRun }: { readonly dryRun: boolean }): Promise<RetentionReport> {
    const { groups: expired, simulations, episodes, unfinished } = await this.#due();
    if (expired.length + simulations.length + episodes.length === 0 && !isAny(unfinished)) return NOTHING;
    const trees = await Promise.all(expired.map((group) => this.#streamsOf(group)));
    const groups = [...trees, ...simulations];
    const wanted = new Set(episodes.map(addressKey));
    const survey = await surveyLedger(this.#parts.ledger, new Set(groups.flat()), (event) =>
      wanted.has(addressKey(event)),
    );
    const removed = await removeContent(this.#parts, {
      survey,
      groups,
      bodies: survey.bodies,
      by: MAINTENANCE,
      reason: 'retention',
      dryRun,
    });
    const archived = groups.flat().filter((stream) => stream.startsWith('run/')).length;
    return {
      archivedRuns: unfinished.runs + archived,
      erasedEpisodes: unfinished.episodes + survey.bodies.length,
      ...removed,
    };
  }

  async #due(): Promise<Due> {
    const { now } = this.#parts;
    const { episodesMs = Number.POSITIVE_INFINITY, runsMs = Number.POSITIVE_INFINITY } = this.#periods;
    return {
      groups: await expiredTrees(this.#records, this.#periods, now),
      simulations: await oldSimulations(this.#parts.ledger, now - runsMs),
      episodes: Number.isFinite(episodesMs) ? await this.#records.oldEpisodes(now - episodesMs) : [],
      unfinished: await this.#records.removedSinceMark(),
    };
  }

  async #streamsOf(trees: readonly FinishedTree[]): Promise<readonly string[]> {
    const { runs } = this.#parts.ledger;
    const streams = trees.map(async ({ root }) => streamsOf(await runs.list({ root: root as RunId }), root));
    return (await Promise.all(streams)).flat();
  }
}

function isAny({ runs, episodes }: Due['unfinished']): boolean {
  return runs + episodes > 0;
}
