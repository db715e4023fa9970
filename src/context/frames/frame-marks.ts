import { NodeVersions } from './current-basis.ts';
import {
  type HeadState,
  headStates,
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
  readonly restsOnStale?: RestsOnStale;
}

/** Marks frames of one reading; reads each path, folder and subtree once. */
export class FrameMarks {
  readonly #parts: ContextParts;
  readonly #versions: NodeVersions;
  readonly #causes: StaleCauses;
  readonly #heads = new Map<string, readonly Head[]>();
  readonly #scopes = new Map<string, ReadonlyMap<string, StatedHead>>();

  constructor(parts: ContextParts) {
    this.#parts = parts;
    this.#versions = new NodeVersions(parts.tree);
    this.#causes = new StaleCauses(parts);
  }

  async of({
    id,
    path,
    type,
    node,
  }: Pick<FrameSummary, 'id' | 'path' | 'type' | 'node'>): Promise<FrameMark> {
    const head = (await this.#headsOf(path)).find((one) => one.type === type);
    if (head?.frame !== id) return { head: false, stale: (await this.#versions.versionOf(path)) !== node };
    return this.ofHead(head);
  }

  async ofHead(head: Head): Promise<FrameMark> {
    const stated = head.recipe === 'none' ? await this.#written(head) : await this.#built(head);
    const { state } = stated;
    return { head: true, stale: state !== 'fresh', state, ...(await this.#causes.mark(stated)) };
  }

  async #headsOf(path: string): Promise<readonly Head[]> {
    const known = this.#heads.get(path) ?? (await this.#parts.records.heads(path));
    this.#heads.set(path, known);
    return known;
  }

  /** A frame that somebody wrote rests on its path alone. */
  async #written(head: Head): Promise<Pick<StatedHead, 'state' | 'causes'>> {
    const version = await this.#versions.versionOf(head.path);
    if (version === undefined) return { state: 'gone', causes: [] };
    if (head.invalid) return { state: 'invalid', causes: [] };
    return { state: version === head.node ? 'fresh' : 'stale', causes: [] };
  }

  async #built({ path, type }: Head): Promise<Pick<StatedHead, 'state' | 'causes'>> {
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
