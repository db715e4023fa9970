import type { ArtifactRef, ToolContext } from '../../engine/index.ts';
import { isTooDeep, type Json, type JsonObject, OkaError, toJson } from '../../kernel/index.ts';
import { cleanText } from './clean-text.ts';
import type { McpErrorCode, ServerAnswer } from './types.ts';

const MAX_ARTIFACTS = 100;
const MAX_NAME_LENGTH = 100;
const MAX_FAILURE_LENGTH = 4_000;
const MEDIA_TYPE = /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,60}$/i;

/** The output of a server's tool: its text, and other content as artifacts and links. */
export interface ServerOutput {
  readonly text: string;
  readonly structured?: Json;
  readonly artifacts?: readonly ArtifactRef[];
  readonly links?: readonly { readonly uri: string; readonly name: string }[];
}

interface ToolName {
  readonly server: string;
  readonly tool: string;
}

/** Reads an answer; images, audio and files become artifacts. Fails with `mcp.tool_failed` and the server's message. */
export async function readAnswer(
  answer: ServerAnswer,
  about: ToolName,
  emitArtifact: ToolContext['emitArtifact'],
): Promise<ServerOutput> {
  const texts = answer.content.filter(({ type }) => type === 'text');
  const text = texts.map((block) => textIn(block, 'text')).join('\n');
  if (answer.isError) throw toolFailed(about, text);
  if (isTooDeep(answer.structured))
    throw new OkaError<McpErrorCode>(
      'mcp.too_large',
      `${about.tool} of the MCP server "${about.server}" returned content nested deeper than 1,000 levels. Request less data.`,
      { data: { ...about } },
    );
  const links = answer.content
    .filter(({ type }) => type === 'resource_link')
    .map((link) => ({ uri: textIn(link, 'uri'), name: textIn(link, 'name') }));
  const artifacts = await storeFiles(answer.content, about, emitArtifact);
  return {
    text,
    ...(answer.structured === undefined ? {} : { structured: toJson(answer.structured) }),
    ...(artifacts.length === 0 ? {} : { artifacts }),
    ...(links.length === 0 ? {} : { links }),
  };
}

async function storeFiles(
  content: readonly JsonObject[],
  about: ToolName,
  emitArtifact: ToolContext['emitArtifact'],
): Promise<readonly ArtifactRef[]> {
  const files = content.flatMap((block, index) => fileIn(block, `${about.tool}-${index + 1}`) ?? []);
  if (files.length > MAX_ARTIFACTS)
    throw new OkaError<McpErrorCode>(
      'mcp.too_large',
      `${about.tool} of the MCP server "${about.server}" returned ${files.length} files; the maximum is ${MAX_ARTIFACTS}. Request fewer.`,
      { data: { ...about, files: files.length } },
    );
  const stored: ArtifactRef[] = [];
  for (const { bytes, ...file } of files) stored.push(await emitArtifact(bytes, file));
  return stored;
}

interface FoundFile {
  readonly bytes: string | Uint8Array;
  readonly name: string;
  readonly mediaType: string;
}

function fileIn(block: JsonObject, name: string): FoundFile | undefined {
  if (block['type'] === 'image' || block['type'] === 'audio')
    return { bytes: Buffer.from(textIn(block, 'data'), 'base64'), name, mediaType: mediaTypeOf(block) };
  const resource = block['resource'];
  if (block['type'] !== 'resource' || resource === null || typeof resource !== 'object') return undefined;
  const found = resource as JsonObject;
  const bytes =
    typeof found['blob'] === 'string' ? Buffer.from(found['blob'], 'base64') : textIn(found, 'text');
  return { bytes, name: nameOf(textIn(found, 'uri')) || name, mediaType: mediaTypeOf(found) };
}

function mediaTypeOf(block: JsonObject): string {
  const type = block['mimeType'];
  if (typeof type === 'string' && MEDIA_TYPE.test(type)) return type.toLowerCase();
  return typeof block['text'] === 'string' ? 'text/plain' : 'application/octet-stream';
}

/** The last part of a URI, for display; it never becomes a path. */
function nameOf(uri: string): string {
  return cleanText(uri.split(/[/\\?#]/).findLast((part) => part !== '') ?? '', MAX_NAME_LENGTH);
}

function textIn(block: JsonObject, key: string): string {
  const value = block[key];
  return typeof value === 'string' ? value.toWellFormed() : '';
}

function toolFailed(about: ToolName, text: string): OkaError {
  const said = cleanText(text, MAX_FAILURE_LENGTH) || 'no reason given';
  return new OkaError<McpErrorCode>(
    'mcp.tool_failed',
    `${cleanText(about.tool, MAX_NAME_LENGTH)} of the MCP server "${about.server}" failed: ${said}`,
    { data: { ...about, text: said } },
  );
}
