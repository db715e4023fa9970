import type { JsonObject } from '../../kernel/index.ts';
import type { EventDraft } from '../../ledger/index.ts';
import { frameIdOf, hashBasis } from './basis.ts';
import type { ContextParts } from './context-parts.ts';
import { frameError, invalid } from './frame-error.ts';
import { frameEvent } from './frame-events.ts';
import { showPath } from './paths.ts';
import type { ContentBlobs } from './ports.ts';
import type { Basis, Recipe } from './types.ts';

const INLINE_BYTES = 16_384;
const MOST_BYTES = 16 * 1024 * 1024;
const TYPE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What is to be said about a version of a path. Redacted already. */
export interface NewFrame {
  readonly path: string;
  readonly node: string;
  readonly type: string;
  readonly agent: string;
  readonly basis: Basis;
  readonly recipe: Recipe;
  readonly content: string;
  readonly metadata?: JsonObject;
}

/** The events that make a frame the head of its path, and its id. There are none where it is that already. */
export interface PlannedFrame {
  readonly id: string;
  readonly outcome: 'appended' | 'moved' | 'known';
  readonly events: readonly EventDraft[];
}

/** Decides how a frame is added; large content is kept in a blob first, which harms nobody if no frame follows. */
export async function planFrame(
  { records, clock }: Pick<ContextParts, 'records' | 'clock'>,
  blobs: Pick<ContentBlobs, 'put'>,
  frame: NewFrame,
): Promise<PlannedFrame> {
  const { path, node, type, agent, basis, recipe, content, metadata } = frame;
  const bytes = Buffer.byteLength(content);
  if (bytes > MOST_BYTES)
    throw invalid(
      'content',
      `the frame for ${showPath(path)} has ${bytes} bytes; at most ${MOST_BYTES} are kept.`,
    );
  const basisHash = hashBasis(basis);
  const id = frameIdOf({ basisHash, agent, type, content });
  const at = clock.now();
  const stored = await records.frame(id);
  if (stored !== undefined && !stored.erased) {
    // Whoever says the same again brings back content that was lost.
    if (stored.blob !== undefined) await blobs.put(content);
    const head = await records.head(path, type);
    if (head?.frame === id && head.node === node && !head.invalid)
      return { id, outcome: 'known', events: [] };
    const moved = frameEvent('context.head_moved', { path, type, frame: id, node, recipe, at });
    return { id, outcome: 'moved', events: [moved] };
  }
  const kept = bytes > INLINE_BYTES ? { blob: await blobs.put(content) } : { content };
  const data = { id, path, node, type, agent, basisHash, recipe, bytes, at };
  const body = { basis, ...kept, ...(metadata === undefined ? {} : { metadata }) };
  return { id, outcome: 'appended', events: [frameEvent('context.frame_appended', data, body)] };
}

/** Refuses what cannot be the type of a frame; `*`, all types, is for synthesis only. */
export function checkType(type: string, also: readonly string[] = []): void {
  if (typeof type === 'string' && (TYPE.test(type) || also.includes(type))) return;
  throw invalid(
    'type',
    `"${String(type).slice(0, 80)}" cannot be the type of a frame; use letters, digits, dots, - and _, at most 64, as in note.`,
  );
}

/** Refuses content that could not be given back as it came. */
export function checkContent(content: string): void {
  if (typeof content !== 'string' || !content.isWellFormed())
    throw invalid('content', 'the content of the frame is not text; give UTF-8.');
}

/** Refuses to put a frame in the place of another. */
export async function refuseOverwrite(
  { records }: Pick<ContextParts, 'records'>,
  wanted: string,
  id: string,
): Promise<void> {
  if (wanted === id) return;
  if ((await records.frame(wanted)) === undefined) {
    throw invalid(
      'id',
      `the frame would not get the id ${wanted} but ${id}; leave the id out, it follows from what the frame says.`,
    );
  }
  throw frameError(
    'context.frame_immutable',
    `the frame ${wanted} is there already and is never changed; leave the id out to append a new frame.`,
    { frame: wanted },
  );
}
