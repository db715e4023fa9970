// Owns: how a pack stands on record. What memory can forget is named by its id alone, so that a fact that is deleted
// leaves no copy in the runs that were shown it.
import type { Json, JsonObject } from '../../kernel/index.ts';
import {
  type ContextPack,
  type DroppedItem,
  PACK_KINDS,
  type PackFault,
  type PackItem,
  type PackKind,
} from './types.ts';

/** The name under which a pack stands among the evidence of a run. */
export const PACK = 'context.pack';

/** An item on record; the text only where it may be copied. */
export type RecordedItem = Omit<PackItem, 'text'> & { readonly text?: string };

export interface RecordedPack {
  readonly items: readonly RecordedItem[];
  readonly dropped: readonly DroppedItem[];
  readonly tokens: number;
  readonly cap: number;
  readonly faults: readonly PackFault[];
}

/** A pack for the record. */
export function packToJson({ items, ...rest }: ContextPack): JsonObject {
  const recorded = items.map(({ text, ...item }) => (item.copied ? { ...item, text } : item));
  return JSON.parse(JSON.stringify({ ...rest, items: recorded })) as JsonObject;
}

/** The newest pack among the evidence of a run; undefined where there is none that can be read. */
export function packIn(
  evidence: readonly { readonly source: string; readonly tool?: string; readonly output?: Json }[],
): RecordedPack | undefined {
  const found = evidence.findLast(({ source, tool }) => source === 'recall' && tool === PACK)?.output;
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
  const { items, dropped, tokens, cap, faults } = found as JsonObject;
  if (!Array.isArray(items) || typeof tokens !== 'number' || typeof cap !== 'number') return undefined;
  return {
    items: (items as unknown as readonly RecordedItem[]).filter(({ kind }) => isKind(kind)),
    dropped: Array.isArray(dropped) ? (dropped as unknown as readonly DroppedItem[]) : [],
    tokens,
    cap,
    faults: Array.isArray(faults) ? (faults as unknown as readonly PackFault[]) : [],
  };
}

function isKind(kind: string): kind is PackKind {
  return (PACK_KINDS as readonly string[]).includes(kind);
}
