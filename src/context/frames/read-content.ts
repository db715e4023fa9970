import { isOkaError } from '../../kernel/index.ts';
import { frameIdOf } from './basis.ts';
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
    throw damaged(record, 'does not have the content that it was stored with');
  return { ...summary, content };
}

async function contentOf(blobs: ContentBlobs, record: FrameRecord): Promise<string> {
  if (record.content !== undefined) return record.content;
  if (record.blob === undefined) throw missing(record, 'was erased');
  let bytes: Uint8Array | undefined;
  try {
    bytes = await blobs.get(record.blob);
  } catch (cause) {
    // Any store says so in its own words when the bytes are not those of the digest.
    if (isOkaError(cause)) throw damaged(record, 'rests on a blob that is damaged', cause);
    throw cause;
  }
  if (bytes === undefined) throw missing(record, `is not there: the blob ${record.blob} is missing`);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function missing({ id, path }: FrameRecord, what: string) {
  return frameError(
    'context.frame_missing',
    `the content of the frame ${id.slice(0, SHORT)} of ${showPath(path)} ${what}; restore it from a backup, or append a new frame.`,
    { frame: id, path },
  );
}

function damaged({ id, path }: FrameRecord, what: string, cause?: unknown) {
  return frameError(
    'context.frame_damaged',
    `the frame ${id.slice(0, SHORT)} of ${showPath(path)} ${what}; see: oka context validate, and restore from a backup.`,
    { frame: id, path },
    cause,
  );
}
