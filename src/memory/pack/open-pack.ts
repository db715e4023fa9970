import { asObject, digestOf, type Json, type JsonObject } from '../../kernel/index.ts';
import { fitPack } from './fit-pack.ts';
import { type RenderedPack, renderPack } from './render-pack.ts';
import {
  type ContextPack,
  type DroppedItem,
  PACK_KINDS,
  type PackCandidate,
  type PackFault,
  type PackItem,
  type ReadPackText,
} from './types.ts';

/** The share of the model's context window that a pack may use. */
const CONTEXT_SHARE = 0.25;

/** The dropped items listed in full with each call; the others are named only. The run's evidence lists all in full. */
const MAX_LISTED_DROPPED = 20;

/** A pack as a model reads it, and its manifest for the record. */
export interface OpenedPack extends RenderedPack {
  readonly tokens: number;
  readonly manifest: JsonObject;
}

/**
 * Opens a recorded pack with its texts, within its cap and its share of the context window. Items erased meanwhile are
 * reported as gone. Nothing replaces them, so that the same record gives the same pack.
 */
export async function openPack(
  recorded: RecordedPack,
  read: ReadPackText,
  contextTokens = Number.POSITIVE_INFINITY,
): Promise<OpenedPack> {
  const texts = await Promise.all(recorded.items.map(async (item) => item.text ?? read(toAddress(item))));
  const present: PackCandidate[] = [];
  const gone: DroppedItem[] = [];
  for (const [i, item] of recorded.items.entries()) {
    const text = texts[i];
    const { tokens, cut: _cut, ...candidate } = item;
    if (text !== undefined) present.push({ ...candidate, text });
    else gone.push({ kind: item.kind, id: item.id, score: item.score, tokens, why: 'gone' });
  }
  const cap = Math.min(recorded.cap, Math.floor(contextTokens * CONTEXT_SHARE));
  const fitted = fitPack(present, cap);
  const cutBefore = new Map(
    recorded.items.flatMap(({ kind, id, cut }) => (cut ? [[`${kind} ${id}`, cut]] : [])),
  );
  const items = fitted.items.map((item) => {
    const before = item.copied ? cutBefore.get(`${item.kind} ${item.id}`) : undefined;
    const cut = (item.cut ?? 0) + ((before as number | undefined) ?? 0);
    return cut === 0 ? item : { ...item, cut };
  });
  const dropped = [...gone, ...fitted.dropped, ...recorded.dropped];
  const rendered = renderPack({ items });
  return {
    ...rendered,
    tokens: fitted.tokens,
    manifest: packManifest({ ...fitted, items, dropped, faults: recorded.faults }, rendered),
  };
}

/** The included and dropped items without their texts. The digest covers what a model reads. */
export function packManifest(pack: ContextPack, rendered: RenderedPack = renderPack(pack)): JsonObject {
  const { items, dropped, tokens, cap, faults } = pack;
  return {
    items: items.map((item) => ({
      kind: item.kind,
      id: item.id,
      tokens: item.tokens,
      score: item.score,
      ...(item.pinned ? { pinned: true } : {}),
      ...(item.untrusted ? { untrusted: true } : {}),
      ...(item.unconfirmed ? { unconfirmed: true } : {}),
      ...(item.note === undefined ? {} : { note: item.note }),
      ...(item.cut === undefined ? {} : { cut: item.cut }),
    })),
    dropped: dropped
      .slice(0, MAX_LISTED_DROPPED)
      .map(({ kind, id, tokens: size, score, why }) => ({ kind, id, tokens: size, score, why })),
    ...namesOf(dropped.slice(MAX_LISTED_DROPPED)),
    droppedCount: dropped.length,
    tokens,
    cap,
    digest: digestOf(`${rendered.rules}\n\n${rendered.known}`),
    ...(faults.length === 0 ? {} : { faults: faults.map(({ source, what }) => ({ source, what })) }),
  };
}

function toAddress({ kind, id, span }: RecordedItem) {
  return { kind, id, ...(span === undefined ? {} : { span }) };
}

/** The ids of more dropped items by kind. */
function namesOf(dropped: readonly DroppedItem[]): JsonObject {
  if (dropped.length === 0) return {};
  const alsoDropped: Record<string, string[]> = {};
  for (const { kind, id } of dropped) {
    alsoDropped[kind] ??= [];
    alsoDropped[kind].push(id);
  }
  return { alsoDropped };
}

/** The name of a pack in the evidence of a run. */
export const PACK = 'context.pack';

/** Names a memory only by its id, so that a deleted fact leaves no copy in the runs that used it. */
type RecordedItem = Omit<PackItem, 'text'> & { readonly text?: string };

type RecordedPack = Omit<ContextPack, 'items'> & { readonly items: readonly RecordedItem[] };

export function packToJson({ items, ...rest }: ContextPack): JsonObject {
  const recorded = items.map(({ text, ...item }) => (item.copied ? { ...item, text } : item));
  return JSON.parse(JSON.stringify({ ...rest, items: recorded })) as JsonObject;
}

/** The newest readable pack in the evidence of a run. */
export function packIn(
  evidence: readonly { readonly source: string; readonly tool?: string; readonly output?: Json }[],
): RecordedPack | undefined {
  const found = evidence.findLast(({ source, tool }) => source === 'recall' && tool === PACK)?.output;
  const { items, dropped, tokens, cap, faults } = asObject(found);
  if (!Array.isArray(items) || typeof tokens !== 'number' || typeof cap !== 'number') return undefined;
  return {
    items: (items as unknown as readonly RecordedItem[]).filter(({ kind }) => PACK_KINDS.includes(kind)),
    dropped: Array.isArray(dropped) ? (dropped as unknown as readonly DroppedItem[]) : [],
    tokens,
    cap,
    faults: Array.isArray(faults) ? (faults as unknown as readonly PackFault[]) : [],
  };
}
