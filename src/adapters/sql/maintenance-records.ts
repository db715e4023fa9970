import { type Correction, MAINTENANCE, type MaintenanceRecords, type Span } from '../../assistant/index.ts';
import { type Episode, type Fact, toEpisodes, toFacts } from '../../memory/index.ts';
import { RowReader } from './row-reader.ts';

const RUN_PREFIX = 'run/';
const PAGE = 1_000;
const ALWAYS: Span = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Finds the results of earlier maintenance and its pending work. */
export class SqlMaintenanceRecords extends RowReader implements MaintenanceRecords {
  async isDistilled(place: string): Promise<boolean> {
    return (await this.rows('SELECT 1 FROM distilled WHERE place = ?', place)).length > 0;
  }

  async factsFrom(places: readonly string[]): Promise<readonly string[]> {
    if (places.length === 0) return [];
    const sql = `SELECT facts FROM distilled WHERE place IN (${this.dialect.listed('?')}) ORDER BY place`;
    return (await this.rows(sql, JSON.stringify(places))).flatMap((row) =>
      JSON.parse(row['facts'] as string),
    );
  }

  async completed(): Promise<{ readonly through: number; readonly at: number } | undefined> {
    const [row] = await this.rows("SELECT through, at FROM maintenance_marks WHERE name = 'completed'");
    return row && { through: row['through'] as number, at: row['at'] as number };
  }

  async isChangedSince(seq: number): Promise<boolean> {
    const sql = 'SELECT 1 FROM events WHERE seq > ? AND actor <> ? LIMIT 1';
    return (await this.rows(sql, seq, MAINTENANCE)).length > 0;
  }

  /** Users' corrections of runs, oldest first. */
  async corrections(): Promise<readonly Correction[]> {
    const sql = `SELECT s.name AS stream, e.at AS at, ${this.dialect.member('e.body', 'text')} AS text
      FROM events e JOIN streams s ON s.id = e.stream_id
      WHERE e.type = 'run.corrected' AND e.body IS NOT NULL ORDER BY e.seq`;
    return (await this.rows(sql)).map((row) => ({
      run: (row['stream'] as string).slice(RUN_PREFIX.length),
      text: String(row['text'] ?? ''),
      at: row['at'] as number,
    }));
  }

  /** The episodes of a time span, ordered by their time. */
  async *episodes({ from, to }: Span = ALWAYS): AsyncGenerator<Episode> {
    const sql = `WITH page AS (SELECT at, id FROM episodes WHERE (at, id) > (?1, ?2) AND at < ?3 AND part = 0
        ORDER BY at, id LIMIT ${PAGE})
      SELECT episodes.* FROM page JOIN episodes USING (id) ORDER BY page.at, id, part`;
    let page: readonly Episode[];
    let [at, id] = [from - 1, '\u{10FFFF}'];
    do {
      page = toEpisodes(await this.rows(sql, at, id, to));
      yield* page;
      ({ at, id } = page.at(-1) ?? { at, id });
    } while (page.length === PAGE);
  }

  /** The facts of a time span that are valid at `now`. */
  async facts(now: number, { from, to }: Span = ALWAYS): Promise<readonly Fact[]> {
    const sql = `SELECT * FROM facts WHERE superseded_by IS NULL AND (expires_at IS NULL OR expires_at > ?)
      AND at >= ? AND at < ? ORDER BY at, id, part`;
    return toFacts(await this.rows(sql, now, from, to));
  }
}
