import type { EpochMs } from '../../kernel/index.ts';
import { nodeNow } from './current-basis.ts';
import {
  type HeadState,
  headStates,
  ownState,
  type RestsOnStale,
  StaleCauses,
  type StatedHead,
} from './head-states.ts';
import type { ContextParts } from './ports.ts';
import type { FrameSummary, Head } from './types.ts';

/** Whether a frame is a head, and whether it still holds. */
export interface FrameMark {
  readonly head: boolean;
  /** A head that is not fresh, or an earlier frame about another version of its path. */
  readonly stale: boolean;
  /** Of a head. */
  readonly state?: HeadState;
  /** The path could not be compared with the disk; it was last scanned then. */
  readonly uncheckedSince?: EpochMs;
  readonly restsOnStale?: RestsOnStale;
}

/** Marks frames of one reading; reads each path, folder and subtree once. */
export class FrameMarks {
  readonly #parts: ContextParts;
  readonly #causes: StaleCauses;
  readonly #heads = new Map<string, readonly Head[]>();
  readonly #scopes = new Map<string, ReadonlyMap<string, StatedHead>>();

  constructor(parts: ContextParts) {
    this.#parts = parts;
    this.#causes = new StaleCauses(parts);
  }

  async of({
    id,
    path,
    type,
    node,
  }: Pick<FrameSummary, 'id' | 'path' | 'type' | 'node'>): Promise<FrameMark> {
    const head = (await this.#headsOf(path)).find((one) => one.type === type);
    if (head?.frame === id) return this.ofHead(head);
    const now = await nodeNow(this.#parts.tree, path);
    return { head: false, stale: now.id !== node, ...sinceOf(now.unchecked?.since) };
  }

  async ofHead(head: Head): Promise<FrameMark> {
    // A frame written by hand depends on its path only.
    const stated =
      head.recipe === 'none'
        ? { ...(await ownState(this.#parts, head)), causes: [] }
        : await this.#built(head);
    const { state, uncheckedSince } = stated;
    const mark = { head: true, stale: state !== 'fresh', state, ...sinceOf(uncheckedSince) };
    return { ...mark, ...(await this.#causes.mark(stated)) };
  }

  async #headsOf(path: string): Promise<readonly Head[]> {
    const known = this.#heads.get(path) ?? (await this.#parts.records.heads(path));
    this.#heads.set(path, known);
    return known;
  }

  async #built({ path, type }: Head): Promise<Pick<StatedHead, 'state' | 'uncheckedSince' | 'causes'>> {
    const isWithin = (scope: string) => scope === '' || scope === path || path.startsWith(`${scope}/`);
    const scope = [...this.#scopes.keys()].find(isWithin) ?? path;
    const known =
      this.#scopes.get(scope) ??
      new Map((await headStates(this.#parts, scope)).map((one) => [`${one.type} ${one.path}`, one]));
    this.#scopes.set(scope, known);
    // A head that another process wrote meanwhile is fresh.
    return known.get(`${type} ${path}`) ?? { state: 'fresh', causes: [] };
  }
}

function sinceOf(uncheckedSince: EpochMs | undefined): Pick<FrameMark, 'uncheckedSince'> {
  return uncheckedSince === undefined ? {} : { uncheckedSince };
}
