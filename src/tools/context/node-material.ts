import { type Frame, type FrameErrorCode, type NodeRecord, pathBytes } from '../../context/index.ts';
import { requireCapability, type ToolContext } from '../../engine/index.ts';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import { decodeText } from '../decode-text.ts';
import type { FileContent, Files } from '../ports.ts';

const MOST_BYTES = 128 * 1024;
const LONGEST_SHOWN = 200;

/** What a model is shown of a node: the text of a file, what the children of a folder say, where a link leads. */
export async function nodeMaterial(
  context: ToolContext,
  node: NodeRecord,
  children: readonly Frame[],
): Promise<string> {
  if (node.kind === 'file') return fileText(context, node);
  if (node.kind === 'link') return `it leads to ${node.target ?? 'nowhere'}`;
  return children.map(({ path, content }) => `${path}\n${content}`).join('\n\n');
}

/** The text of the very version that the answer will rest on. */
async function fileText(context: ToolContext, node: NodeRecord): Promise<string> {
  const file = await read(requireCapability<Files>(context, 'files'), node);
  if (node.contentHash !== undefined && file.digest !== node.contentHash) throw changed(node);
  return decodeText(file.content, file.truncated) ?? `(${file.bytes} bytes that are not text)`;
}

async function read(files: Files, node: NodeRecord): Promise<FileContent> {
  const name = decodeText(Buffer.from(pathBytes(node.path), 'latin1'), false);
  if (name === undefined) throw unshowable(node, 'its name is not text');
  try {
    return await files.read(name, { maxBytes: MOST_BYTES });
  } catch (error) {
    if (isOkaError(error, 'files.invalid_path')) throw unshowable(node, 'its path is too long', error);
    // It was a file when it was scanned; whatever stands there now is not what the answer would rest on.
    const gone = isOkaError(error, 'files.not_found') || isOkaError(error, 'files.not_a_file');
    throw gone || isOkaError(error, 'files.outside_workspace') ? changed(node, error) : error;
  }
}

function unshowable(node: NodeRecord, why: string, cause?: unknown): OkaError<FrameErrorCode> {
  const message = `${shorten(node.path)} cannot be shown to a model: ${why}; rename it, or write about it with: oka context put-frame.`;
  return contextError('context.invalid', message, node, cause);
}

/** The end of a path, which says more than its beginning. */
function shorten(path: string): string {
  return path.length > LONGEST_SHOWN ? `…${path.slice(-LONGEST_SHOWN)}` : path;
}

function changed(node: NodeRecord, cause?: unknown): OkaError<FrameErrorCode> {
  const message = `${node.path} has changed since it was scanned; run: oka context scan, then ask again.`;
  return contextError('context.node_changed', message, node, cause);
}

function contextError(
  code: FrameErrorCode,
  message: string,
  { path }: NodeRecord,
  cause?: unknown,
): OkaError<FrameErrorCode> {
  return new OkaError(code, message, { data: { path }, ...(cause === undefined ? {} : { cause }) });
}
