import { digestOf, type JsonObject } from '../../kernel/index.ts';
import { fitPack } from './fit-pack.ts';
import type { ReadPackText } from './ports.ts';
import type { RecordedItem, RecordedPack } from './record-pack.ts';
import { type RenderedPack, renderPack } from './render-pack.ts';
import type { ContextPack, DroppedItem, PackCandidate } from './types.ts';

/** The part of what a model can look at that a pack may take. */
const WINDOW_SHARE = 0.25;

/** So many of what was dropped are listed with each call; the rest is counted, and stands with the run's evidence. */
const LISTED_DROPPED = 20;

/** A pack as it is put to a model, and the list of it for the record. */
export interface OpenedPack extends RenderedPack {
  readonly tokens: number;
  readonly manifest: JsonObject;
}

/**
 * A pack on record with its texts, within its cap and within its share of what the model can look at. What was erased
 * meanwhile is left out and named as gone; nothing takes its place, so that the same record gives the same pack.
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
  const cap = Math.min(recorded.cap, Math.floor(contextTokens * WINDOW_SHARE));
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

/** What went in and what did not, without any text; the digest is of what a model reads. */
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
      ...(item.cut === undefined ? {} : { cut: item.cut }),
    })),
    dropped: dropped.slice(0, LISTED_DROPPED).map(({ kind, id, tokens: size, score, why }) => ({
      kind,
      id,
      tokens: size,
      score,
      why,
    })),
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
