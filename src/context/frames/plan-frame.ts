import type { EventDraft } from '../../ledger/index.ts';
import { showPath } from '../paths.ts';
import { frameIdOf, hashBasis } from './basis.ts';
import { frameError, invalid } from './frame-error.ts';
import { frameEvent } from './frame-events.ts';
import type { ContentBlobs, ContextParts } from './ports.ts';
import type { Basis, Frame, FrameRecord, Producer } from './types.ts';

const INLINE_BYTES = 16_384;
const MAX_BYTES = 16 * 1024 * 1024;
const TYPE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A frame to add; already redacted. */
type NewFrame = Pick<Frame, 'path' | 'node' | 'type' | 'agent' | 'recipe' | 'content' | 'metadata'> & {
  readonly basis: Basis;
  /** The model whose answer it is. */
  readonly producer?: Producer | undefined;
};

/** The events that make a frame the head of its path, and its id. None if nothing about it is new. */
export interface PlannedFrame {
  readonly id: string;
  readonly outcome: 'appended' | 'moved' | 'known';
  readonly events: readonly EventDraft[];
}

/** Plans a frame. Large content is first stored in a blob, which is harmless if no frame follows. */
export async function planFrame(
  { records, clock }: Pick<ContextParts, 'records' | 'clock'>,
  blobs: Pick<ContentBlobs, 'put'>,
  frame: NewFrame,
): Promise<PlannedFrame> {
  const { path, node, type, agent, basis, recipe, content, metadata } = frame;
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_BYTES)
    throw invalid(
      'content',
      `The frame for ${showPath(path)} has ${bytes} bytes; the maximum is ${MAX_BYTES}.`,
    );
  const basisHash = hashBasis(basis);
  const id = frameIdOf({ basisHash, agent, type, content });
  const at = clock.now();
  const known = await records.frame(id);
  if (known !== undefined && !known.erased) {
    // Putting the same frame again restores a lost blob.
    if (known.blob !== undefined) await blobs.put(content);
    const head = await records.head(path, type);
    const more = newProducer(known, frame, at);
    if (head?.frame === id && head.node === node && !head.invalid)
      return { id, outcome: 'known', events: more };
    const moved = frameEvent('context.head_moved', { path, type, frame: id, node, recipe, at });
    return { id, outcome: 'moved', events: [moved, ...more] };
  }
  const stored = bytes > INLINE_BYTES ? { blob: await blobs.put(content) } : { content };
  const data = { id, path, node, type, agent, basisHash, recipe, bytes, at };
  const body = { basis, ...stored, ...(metadata === undefined ? {} : { metadata }) };
  return { id, outcome: 'appended', events: [frameEvent('context.frame_appended', data, body)] };
}

/** Records that another model gave the content of a known frame. */
function newProducer(
  { id, path, producers = [] }: FrameRecord,
  { producer }: NewFrame,
  at: number,
): readonly EventDraft[] {
  const isKnown = producers.some(
    ({ provider, model }) => provider === producer?.provider && model === producer.model,
  );
  if (producer === undefined || isKnown) return [];
  return [frameEvent('context.frame_produced', { ...producer, frame: id, path, at })];
}

/** Validates the type of a frame; `*`, all types, is only valid for synthesis. */
export function checkType(type: string, also: readonly string[] = []): void {
  if (typeof type === 'string' && (TYPE.test(type) || also.includes(type))) return;
  throw invalid(
    'type',
    `Invalid frame type "${String(type).slice(0, 80)}": expected at most 64 letters, digits, dots, - and _, such as note.`,
  );
}

/** Rejects content that is empty, or could not be stored unchanged. */
export function checkContent(content: string): void {
  if (typeof content !== 'string' || !content.isWellFormed())
    throw invalid('content', 'The content of the frame is not UTF-8 text.');
  if (content.trim() === '')
    throw invalid('content', 'The content of the frame is empty, so no frame was made. Give it some text.');
}

/** Throws unless the frame has the expected id. */
export async function refuseOverwrite(
  { records }: Pick<ContextParts, 'records'>,
  wanted: string,
  id: string,
): Promise<void> {
  if (wanted === id) return;
  if ((await records.frame(wanted)) === undefined) {
    throw invalid(
      'id',
      `The frame gets the id ${id}, not ${wanted}. Omit the id; it is computed from the frame.`,
    );
  }
  throw frameError(
    'context.frame_immutable',
    `Frame ${wanted} exists and is immutable. Omit the id to append a new frame.`,
    { frame: wanted },
  );
}
