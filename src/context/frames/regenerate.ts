// Owns: finding and regenerating stale frames. I1 Deepest first, so that a directory sees the new frames of its children.
// I2 Nothing outside the scope is regenerated. I3 A frame with an unchanged basis stays.

import { groupBy, isOkaError } from '../../kernel/index.ts';
import type { EventDraft } from '../../ledger/index.ts';
import { depthOf, parentOf } from '../paths.ts';
import { hashBasis } from './basis.ts';
import { currentBasis, EVERY_TYPE, mayDiffer, nodeNow } from './current-basis.ts';
import { planSynthesis } from './plan-synthesis.ts';
import type { ContextParts, FrameGenerator, RecipeHead } from './ports.ts';
import type { Basis, Head } from './types.ts';
import { writeFrames } from './write-context.ts';

export interface RegenerationOrder {
  /** The scope: this path alone or, with `recursive`, everything below it too. */
  readonly path: string;
  readonly recursive: boolean;
  readonly types?: readonly string[];
  readonly by: string;
  /** Only reports what would be regenerated. */
  readonly dryRun: boolean;
  /** Regenerates generated frames; without it they are skipped. */
  readonly generator?: FrameGenerator;
  readonly maxModelCalls: number;
  /** Only heads of these paths; all by default. */
  readonly paths?: ReadonlySet<string>;
}

/** A head that moves from one frame to another; `to` is unknown in a dry run. */
interface Regenerated extends Pick<Head, 'path' | 'type'> {
  readonly recipe: 'synthesis' | 'generation';
  readonly from: string;
  readonly to?: string;
}

type SkippedHead = Pick<Head, 'path' | 'type'> & { readonly why: string };

export interface Regeneration {
  readonly regenerated: readonly Regenerated[];
  readonly unchanged: number;
  readonly skipped: readonly SkippedHead[];
  readonly cost: { readonly frames: number; readonly modelCalls: number };
}

/** Regenerates the stale frames of a scope, or lists them. */
export async function regenerate(parts: ContextParts, order: RegenerationOrder): Promise<Regeneration> {
  return new Pass(parts, order).run();
}

type Outcome =
  | { readonly regenerated: Regenerated }
  | { readonly skipped: SkippedHead }
  | { readonly unchanged: true };

interface Inspected {
  readonly head: Head;
  readonly agent: string;
  readonly basis: Basis;
  readonly differs: boolean;
}

class Pass {
  readonly #parts: ContextParts;
  readonly #order: RegenerationOrder;
  readonly #regenerated: Regenerated[] = [];
  readonly #skipped: SkippedHead[] = [];
  /** Types whose heads moved below a directory in this pass. */
  readonly #movedBelow = new Map<string, Set<string>>();
  #unchanged = 0;
  #modelCalls = 0;

  constructor(parts: ContextParts, order: RegenerationOrder) {
    this.#parts = parts;
    this.#order = order;
  }

  async run(): Promise<Regeneration> {
    const { path, recursive, types, paths } = this.#order;
    const heads = (await this.#parts.records.recipeHeadsWithin(path)).filter(
      (head) =>
        (recursive || head.path === path) &&
        (types === undefined || types.includes(head.type)) &&
        (paths === undefined || paths.has(head.path)),
    );
    await this.#parts.tree.compare(heads.map((head) => head.path));
    const levels = groupBy(heads, (head) => depthOf(head.path));
    for (const depth of [...levels.keys()].sort((a, b) => b - a)) await this.#level(levels.get(depth) ?? []);
    return {
      regenerated: this.#regenerated,
      unchanged: this.#unchanged,
      skipped: this.#skipped,
      cost: { frames: this.#regenerated.length, modelCalls: this.#modelCalls },
    };
  }

  async #level(heads: readonly RecipeHead[]): Promise<void> {
    const affected: RecipeHead[] = [];
    for (const head of heads) {
      const { id } = await nodeNow(this.#parts.tree, head.path);
      if (this.#hasMovedBelow(head) || mayDiffer(this.#parts, head, id)) affected.push(head);
      else this.#unchanged += 1;
    }
    if (this.#order.dryRun) {
      for (const head of affected) this.#note(await this.#preview(head));
      return;
    }
    const synthesized = affected.filter(({ recipe }) => recipe === 'synthesis');
    const planned = await writeFrames(this.#parts, this.#order.by, synthesized, (head) => this.#decide(head));
    for (const { outcome } of planned) this.#note(outcome);
    for (const head of affected) if (head.recipe === 'generation') this.#note(await this.#generate(head));
  }

  #hasMovedBelow({ path, type }: Head): boolean {
    const moved = this.#movedBelow.get(path);
    return moved !== undefined && (type === EVERY_TYPE || moved.has(type));
  }

  /** The current basis of a head, or why it cannot be regenerated. */
  async #inspect(place: Head): Promise<Inspected | Outcome> {
    const { records, tree } = this.#parts;
    const skip = (why: string) => ({ skipped: { path: place.path, type: place.type, why } });
    const head = await records.head(place.path, place.type);
    if (head === undefined || head.recipe === 'none') return { unchanged: true };
    const frame = await records.frame(head.frame);
    if (frame?.basis === undefined) return skip('its basis was erased, or its frame is missing');
    const node = await tree.node(head.path);
    if (node === undefined) return skip('the path is gone');
    if (head.recipe === 'synthesis' && node.kind !== 'directory') return skip('it is no longer a directory');
    try {
      const basis = await currentBasis(this.#parts, node, frame);
      if (basis === undefined) return skip('it has no recipe');
      const differs = head.invalid || hashBasis(basis) !== frame.basisHash;
      return { head, agent: frame.agent, basis, differs };
    } catch (error) {
      if (isOkaError(error, 'context.policy_unknown')) return skip('its policy is not registered here');
      throw error;
    }
  }

  async #decide(place: Head): Promise<{ readonly events: readonly EventDraft[]; readonly outcome: Outcome }> {
    const inspected = await this.#inspect(place);
    if (!('basis' in inspected)) return { events: [], outcome: inspected };
    const { head, agent, basis, differs } = inspected;
    const node = await this.#parts.tree.node(head.path);
    if (!differs || basis.kind !== 'frames' || node === undefined)
      return { events: [], outcome: { unchanged: true } };
    try {
      const metadata = { regeneratedBy: this.#order.by };
      const order = { type: head.type, policy: basis.policy, agent, metadata };
      const { id, events } = await planSynthesis(this.#parts, this.#parts.blobs, node, order);
      const { path, type, frame } = head;
      return { events, outcome: { regenerated: { path, type, recipe: 'synthesis', from: frame, to: id } } };
    } catch (error) {
      if (!isOkaError(error, 'context.frame_damaged') && !isOkaError(error, 'context.frame_missing'))
        throw error;
      return { events: [], outcome: { skipped: { path: head.path, type: head.type, why: error.message } } };
    }
  }

  async #preview(place: RecipeHead): Promise<Outcome> {
    const inspected = await this.#inspect(place);
    if (!('basis' in inspected)) return inspected;
    const { head, differs } = inspected;
    if (!differs && !this.#hasMovedBelow(head)) return { unchanged: true };
    if (head.recipe === 'generation') {
      const refused = this.#refuseCall(head);
      if (refused) return { skipped: refused };
      this.#modelCalls += 1;
    }
    const { path, type, frame } = head;
    return { regenerated: { path, type, recipe: recipeOf(head), from: frame } };
  }

  async #generate(place: RecipeHead): Promise<Outcome> {
    const inspected = await this.#inspect(place);
    if (!('basis' in inspected)) return inspected;
    const { head, agent, basis, differs } = inspected;
    if (!differs || basis.kind !== 'both') return { unchanged: true };
    const refused = this.#refuseCall(head);
    if (refused || this.#order.generator === undefined) return { skipped: refused as SkippedHead };
    const { path, type, frame } = head;
    const { generator, by } = this.#order;
    const made = await generator.generate({ path, type, prompt: basis.prompt, agent, by });
    if (made.asked) this.#modelCalls += 1;
    return { regenerated: { path, type, recipe: 'generation', from: frame, to: made.frame } };
  }

  #refuseCall({ path, type }: Head): SkippedHead | undefined {
    const { generator, maxModelCalls } = this.#order;
    if (generator === undefined) return { path, type, why: 'it needs a model' };
    if (this.#modelCalls < maxModelCalls) return undefined;
    return { path, type, why: `the limit of ${maxModelCalls} model calls is reached` };
  }

  #note(outcome: Outcome): void {
    if ('unchanged' in outcome) this.#unchanged += 1;
    else if ('skipped' in outcome) this.#skipped.push(outcome.skipped);
    else {
      const { path, type } = outcome.regenerated;
      this.#regenerated.push(outcome.regenerated);
      const parent = parentOf(path);
      if (parent === null) return;
      const moved = this.#movedBelow.get(parent) ?? new Set();
      this.#movedBelow.set(parent, moved.add(type));
    }
  }
}

function recipeOf({ recipe }: Head): 'synthesis' | 'generation' {
  return recipe === 'generation' ? 'generation' : 'synthesis';
}
