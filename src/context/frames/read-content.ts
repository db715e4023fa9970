import { isOkaError } from '../../kernel/index.ts';
import { showPath } from '../paths.ts';
import { frameIdOf } from './basis.ts';
import { frameError } from './frame-error.ts';
import type { ContentBlobs, ContextParts } from './ports.ts';
import type { Frame, FrameRecord } from './types.ts';

const SHORT_ID_LENGTH = 12;

/** Reads a frame with its content. Throws if the content is missing or does not match the id. */
export async function readFrame(blobs: ContentBlobs, record: FrameRecord): Promise<Frame> {
  const { basis: _basis, content: _content, blob: _blob, ...summary } = record;
  const content = await contentOf(blobs, record);
  const { basisHash, agent, type } = record;
  if (frameIdOf({ basisHash, agent, type, content }) !== record.id)
    throw damaged(record, 'its content does not match its id');
  return { ...summary, content };
}

/** The frame with its content; undefined if it is missing, erased or damaged. */
export async function findFrame(
  { records, blobs }: Pick<ContextParts, 'records' | 'blobs'>,
  id: string,
): Promise<Frame | undefined> {
  const record = await records.frame(id);
  if (record === undefined || record.erased) return undefined;
  const read = await tryReadFrame(blobs, record);
  return 'frame' in read ? read.frame : undefined;
}

/** The frame with its content, or why it cannot be read. */
export async function tryReadFrame(
  blobs: ContentBlobs,
  record: FrameRecord,
): Promise<{ readonly frame: Frame } | { readonly why: string }> {
  try {
    return { frame: await readFrame(blobs, record) };
  } catch (error) {
    if (isOkaError(error, 'context.frame_damaged') || isOkaError(error, 'context.frame_missing'))
      return { why: String(error.data['why']) };
    throw error;
  }
}

async function contentOf(blobs: ContentBlobs, record: FrameRecord): Promise<string> {
  if (record.content !== undefined) return record.content;
  if (record.blob === undefined) throw missing(record, 'its content was erased');
  let bytes: Uint8Array | undefined;
  try {
    bytes = await blobs.get(record.blob);
  } catch (cause) {
    // Every store has its own error for bytes that do not match the digest.
    if (isOkaError(cause)) throw damaged(record, `its blob ${record.blob} is damaged`, cause);
    throw cause;
  }
  if (bytes === undefined) throw missing(record, `its blob ${record.blob} is missing`);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function missing({ id, path }: FrameRecord, why: string) {
  return frameError(
    'context.frame_missing',
    `Cannot read frame ${id.slice(0, SHORT_ID_LENGTH)} of ${showPath(path)}: ${why}. Restore it from a backup, or put the same frame again.`,
    { frame: id, path, why },
  );
}

function damaged({ id, path }: FrameRecord, why: string, cause?: unknown) {
  return frameError(
    'context.frame_damaged',
    `Cannot read frame ${id.slice(0, SHORT_ID_LENGTH)} of ${showPath(path)}: ${why}. Restore it from a backup, or delete the blob and put the same frame again.`,
    { frame: id, path, why },
    cause,
  );
}
