import { isOkaError } from '../../kernel/index.ts';
import { frameIdOf } from './basis.ts';
import type { ContextParts } from './context-parts.ts';
import { frameError } from './frame-error.ts';
import { showPath } from './paths.ts';
import type { ContentBlobs } from './ports.ts';
import type { Frame, FrameRecord } from './types.ts';

const SHORT = 12;

/** The frame with its content. Refuses content that is gone, or that is not what the frame's id was made of. */
export async function readFrame(blobs: ContentBlobs, record: FrameRecord): Promise<Frame> {
  const { basis: _basis, content: _content, blob: _blob, ...summary } = record;
  const content = await contentOf(blobs, record);
  const { basisHash, agent, type } = record;
  if (frameIdOf({ basisHash, agent, type, content }) !== record.id)
    throw damaged(record, 'it does not have the content that it was stored with');
  return { ...summary, content };
}

/** The frame with this id and its content; undefined when it is gone, erased or damaged. */
export async function findFrame(
  { records, blobs }: Pick<ContextParts, 'records' | 'blobs'>,
  id: string,
): Promise<Frame | undefined> {
  const record = await records.frame(id);
  if (record === undefined || record.erased) return undefined;
  const read = await tryReadFrame(blobs, record);
  return 'frame' in read ? read.frame : undefined;
}

/** The frame with its content, or in a few words why that cannot be read. */
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
    // Any store says so in its own words when the bytes are not those of the digest.
    if (isOkaError(cause)) throw damaged(record, `its blob ${record.blob} is damaged`, cause);
    throw cause;
  }
  if (bytes === undefined) throw missing(record, `its blob ${record.blob} is missing`);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function missing({ id, path }: FrameRecord, why: string) {
  return frameError(
    'context.frame_missing',
    `the frame ${id.slice(0, SHORT)} of ${showPath(path)} cannot be read: ${why}; restore it from a backup, or say the same again.`,
    { frame: id, path, why },
  );
}

function damaged({ id, path }: FrameRecord, why: string, cause?: unknown) {
  return frameError(
    'context.frame_damaged',
    `the frame ${id.slice(0, SHORT)} of ${showPath(path)} cannot be read: ${why}; restore it from a backup, or delete the blob and say the same again.`,
    { frame: id, path, why },
    cause,
  );
}
