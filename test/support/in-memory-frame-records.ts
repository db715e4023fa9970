import { compareTexts } from '../../src/context/frames/basis.ts';
import {
  toFrameRecord,
  toFrameSummary,
  toHead,
  toHeadMove,
} from '../../src/context/frames/frame-projection.ts';
import type { FrameRecords, FrameTally, HeadMove, RecipeHead } from '../../src/context/frames/ports.ts';
import type { FrameRecord, FrameSummary, Head } from '../../src/context/frames/types.ts';
import { groupBy } from '../../src/kernel/index.ts';
import type { MemoryTables, Row } from '../../src/ledger/index.ts';

/** Frames and heads in tables that live in memory. */
export class InMemoryFrameRecords implements FrameRecords {
  readonly #tables: MemoryTables;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  async frame(id: string): Promise<FrameRecord | undefined> {
    const row = this.#tables.get('context_frames', { id });
    const producers = this.#tables.rows('context_producers').filter(({ frame }) => frame === id);
    producers.sort((a, b) => (a['idx'] as number) - (b['idx'] as number));
    return row && toFrameRecord(row, producers);
  }

  async framesOf(path: string): Promise<readonly FrameSummary[]> {
    return this.#frames((row) => row['path'] === path);
  }

  async framesBelow(parent: string): Promise<readonly FrameSummary[]> {
    return this.#frames((row) => row['parent'] === parent);
  }

  async framesWithBasis(basisHash: string): Promise<readonly FrameSummary[]> {
    return this.#frames((row) => row['basis_hash'] === basisHash);
  }

  async framesAfter(id: string, limit: number): Promise<readonly FrameRecord[]> {
    const after = this.#tables.rows('context_frames').filter((row) => (row['id'] as string) > id);
    return after
      .map((row) => toFrameRecord(row))
      .sort((a, b) => compareTexts(a.id, b.id))
      .slice(0, limit);
  }

  async framesSince(at: number, limit: number): Promise<readonly FrameSummary[]> {
    const rows = this.#tables.rows('context_frames').filter((row) => (row['at'] as number) >= at);
    rows.sort((a, b) => (a['idx'] as number) - (b['idx'] as number));
    return rows.slice(0, limit).map(toFrameSummary);
  }

  async head(path: string, type: string): Promise<Head | undefined> {
    const row = this.#tables.get('context_heads', { path, type });
    return row && this.#toHead(row);
  }

  async heads(path: string): Promise<readonly Head[]> {
    return this.#heads((row) => row['path'] === path);
  }

  async headsBelow(parent: string, type?: string): Promise<readonly Head[]> {
    return this.#heads((row) => row['parent'] === parent && (type === undefined || row['type'] === type));
  }

  async headsWithin(path: string): Promise<readonly Head[]> {
    return this.#heads(
      (row) => path === '' || row['path'] === path || String(row['path']).startsWith(`${path}/`),
    );
  }

  async newestHeads(limit: number): Promise<readonly Head[]> {
    const heads = await this.headsWithin('');
    return [...heads].sort((a, b) => b.index - a.index).slice(0, limit);
  }

  async recipeHeadsWithin(path: string): Promise<readonly RecipeHead[]> {
    const heads = (await this.headsWithin(path)).filter(({ recipe }) => recipe !== 'none');
    const below = groupBy(this.#tables.rows('context_heads'), (row) => row['parent']);
    return heads.map((head) => {
      const indexes = (below.get(head.path) ?? []).map((row) => row['idx'] as number);
      const frame = this.#tables.get('context_frames', { id: head.frame });
      const basis = frame && toFrameRecord(frame).basis;
      const policy = basis?.kind === 'frames' ? { policy: basis.policy } : {};
      return { ...head, newestBelow: Math.max(-1, ...indexes), ...policy };
    });
  }

  async movesBetween(after: number, until: number): Promise<readonly HeadMove[]> {
    return this.#moves()
      .filter(({ idx }) => (idx as number) > after && (idx as number) <= until)
      .map((row) => toHeadMove(row));
  }

  async headAt(path: string, type: string, index: number): Promise<HeadMove | undefined> {
    const own = this.#moves().filter(
      (row) => row['path'] === path && row['type'] === type && (row['idx'] as number) <= index,
    );
    const row = own.at(-1);
    return (
      row &&
      toHeadMove(
        row,
        own.findLast(({ frame }) => (frame ?? null) !== null),
      )
    );
  }

  #moves(): Row[] {
    const rows = [...this.#tables.rows('context_moves')];
    return rows.sort(
      (a, b) =>
        (a['idx'] as number) - (b['idx'] as number) ||
        compareTexts(String(a['path']), String(b['path'])) ||
        compareTexts(String(a['type']), String(b['type'])),
    );
  }

  async tally(): Promise<readonly FrameTally[]> {
    const frames = this.#tables.rows('context_frames').map(toFrameSummary);
    const kinds = groupBy(frames, ({ type, agent, recipe }) => JSON.stringify([type, agent, recipe]));
    return [...kinds]
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([, [first, ...others]]) => {
        const { type, agent, recipe, bytes } = first as FrameSummary;
        const sum = others.reduce((total, other) => total + other.bytes, bytes);
        return { type, agent, recipe, frames: others.length + 1, bytes: sum };
      });
  }

  #frames(wanted: (row: Row) => boolean): FrameSummary[] {
    const found = this.#tables.rows('context_frames').filter(wanted).map(toFrameSummary);
    return found.sort(
      (a, b) => compareTexts(a.path, b.path) || compareTexts(a.type, b.type) || compareTexts(a.id, b.id),
    );
  }

  #heads(wanted: (row: Row) => boolean): Head[] {
    const found = this.#tables
      .rows('context_heads')
      .filter(wanted)
      .map((row) => this.#toHead(row));
    return found.sort((a, b) => compareTexts(a.path, b.path) || compareTexts(a.type, b.type));
  }

  #toHead(row: Row): Head {
    const frame = this.#tables.get('context_frames', { id: row['frame'] });
    return toHead({ ...row, frame_erased: frame?.['erased'] ?? null });
  }
}
