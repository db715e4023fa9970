import {
  type FrameRecord,
  type FrameRecords,
  type FrameSummary,
  type FrameTally,
  type Head,
  type HeadMove,
  type RecipeHead,
  toFrameRecord,
  toFrameSummary,
  toHead,
  toHeadMove,
} from '../../context/index.ts';
import { RowReader } from './row-reader.ts';

const SUMMARY = 'id, path, node, type, agent, basis_hash, recipe, bytes, at, erased';
const HEADS = `SELECT h.*, (SELECT erased FROM context_frames WHERE id = h.frame) AS frame_erased FROM context_heads h`;
/** A path and everything below it: `0` sorts directly after `/`. */
const WITHIN = `(?1 = '' OR h.path = ?1 OR (h.path > ?1 || '/' AND h.path < ?1 || '0'))`;

/** Finds frames and heads in the folded tables. */
export class SqlFrameRecords extends RowReader implements FrameRecords {
  async frame(id: string): Promise<FrameRecord | undefined> {
    const [row] = await this.rows('SELECT * FROM context_frames WHERE id = ?', id);
    if (row?.['recipe'] !== 'generation') return row && toFrameRecord(row);
    return toFrameRecord(
      row,
      await this.rows('SELECT * FROM context_producers WHERE frame = ? ORDER BY idx', id),
    );
  }

  async framesOf(path: string): Promise<readonly FrameSummary[]> {
    return this.#frames('path = ?', path);
  }

  async framesBelow(parent: string): Promise<readonly FrameSummary[]> {
    return this.#frames('parent = ?', parent);
  }

  async framesWithBasis(basisHash: string): Promise<readonly FrameSummary[]> {
    return this.#frames('basis_hash = ?', basisHash);
  }

  async framesAfter(id: string, limit: number): Promise<readonly FrameRecord[]> {
    const sql = 'SELECT * FROM context_frames WHERE id > ? ORDER BY id LIMIT ?';
    return (await this.rows(sql, id, limit)).map((row) => toFrameRecord(row));
  }

  async framesSince(at: number, limit: number): Promise<readonly FrameSummary[]> {
    const sql = `SELECT ${SUMMARY} FROM context_frames WHERE at >= ? ORDER BY idx LIMIT ?`;
    return (await this.rows(sql, at, limit)).map(toFrameSummary);
  }

  async head(path: string, type: string): Promise<Head | undefined> {
    return (await this.rows(`${HEADS} WHERE h.path = ? AND h.type = ?`, path, type)).map(toHead)[0];
  }

  async heads(path: string): Promise<readonly Head[]> {
    return (await this.rows(`${HEADS} WHERE h.path = ? ORDER BY h.type`, path)).map(toHead);
  }

  async headsBelow(parent: string, type?: string): Promise<readonly Head[]> {
    const sql = `${HEADS} WHERE h.parent = ?1 AND (?2 IS NULL OR h.type = ?2) ORDER BY h.path, h.type`;
    return (await this.rows(sql, parent, type ?? null)).map(toHead);
  }

  async headsWithin(path: string): Promise<readonly Head[]> {
    return (await this.rows(`${HEADS} WHERE ${WITHIN} ORDER BY h.path, h.type`, path)).map(toHead);
  }

  async newestHeads(limit: number): Promise<readonly Head[]> {
    return (await this.rows(`${HEADS} ORDER BY h.idx DESC, h.path, h.type LIMIT ?`, limit)).map(toHead);
  }

  async recipeHeadsWithin(path: string): Promise<readonly RecipeHead[]> {
    const { member } = this.dialect;
    const sql = `SELECT h.*, f.erased AS frame_erased,
        ${member('f.basis', 'policy.name')} AS policy, ${member('f.basis', 'policy.version')} AS policy_version,
        coalesce((SELECT max(idx) FROM context_heads WHERE parent = h.path), -1) AS newest_below
      FROM context_heads h LEFT JOIN context_frames f ON f.id = h.frame
      WHERE h.recipe IN ('synthesis', 'generation') AND ${WITHIN} ORDER BY h.path, h.type`;
    return (await this.rows(sql, path)).map((row) => {
      const { policy: name, policy_version: version, newest_below: newestBelow } = row;
      const policy = typeof name === 'string' ? { policy: { name, version: String(version) } } : {};
      return { ...toHead(row), newestBelow: newestBelow as number, ...policy };
    });
  }

  async movesBetween(after: number, until: number): Promise<readonly HeadMove[]> {
    const sql = 'SELECT * FROM context_moves WHERE idx > ? AND idx <= ? ORDER BY idx, path, type';
    return (await this.rows(sql, after, until)).map((row) => toHeadMove(row));
  }

  async headAt(path: string, type: string, index: number): Promise<HeadMove | undefined> {
    const sql = `SELECT * FROM context_moves WHERE path = ? AND type = ? AND idx <= ? ORDER BY idx DESC`;
    const [row] = await this.rows(`${sql} LIMIT 1`, path, type, index);
    if (row === undefined || row['frame'] !== null) return row && toHeadMove(row);
    const set = sql.replace(' ORDER', ' AND frame IS NOT NULL ORDER');
    return toHeadMove(row, (await this.rows(`${set} LIMIT 1`, path, type, index))[0]);
  }

  async tally(): Promise<readonly FrameTally[]> {
    const sql = `SELECT type, agent, recipe, count(*) AS frames, sum(bytes) AS bytes FROM context_frames
      GROUP BY type, agent, recipe ORDER BY type, agent, recipe`;
    return (await this.rows(sql)).map((row) => ({ ...row }) as unknown as FrameTally);
  }

  async #frames(where: string, value: string): Promise<FrameSummary[]> {
    const sql = `SELECT ${SUMMARY} FROM context_frames WHERE ${where} ORDER BY path, type, id`;
    return (await this.rows(sql, value)).map(toFrameSummary);
  }
}
