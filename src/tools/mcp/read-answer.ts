import type { ArtifactRef, ToolContext } from '../../engine/index.ts';
import { type Json, type JsonObject, OkaError, toJson } from '../../kernel/index.ts';
import { cleanText } from './clean-text.ts';
import type { McpErrorCode } from './errors.ts';
import type { ServerAnswer } from './ports.ts';

const MOST_ARTIFACTS = 100;
const LONGEST_NAME = 100;
const LONGEST_FAILURE = 4_000;
const MEDIA_TYPE = /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,60}$/i;

/** What a tool of a server gives: its text in one piece, and beside it what is no text. */
export interface ServerOutput {
  readonly text: string;
  readonly structured?: Json;
  readonly artifacts?: readonly ArtifactRef[];
  readonly links?: readonly { readonly uri: string; readonly name: string }[];
}

/** Reads an answer; pictures, sound and files are kept as artifacts. Throws `mcp.tool_failed` with the server's words. */
export async function readAnswer(
  answer: ServerAnswer,
  about: { readonly server: string; readonly tool: string },
  emitArtifact: ToolContext['emitArtifact'],
): Promise<ServerOutput> {
  const text = answer.content
    .flatMap((block) => (block['type'] === 'text' ? [textIn(block, 'text')] : []))
    .join('\n');
  if (answer.isError) throw toolFailed(about, text);
  const links = answer.content.filter(({ type }) => type === 'resource_link');
  const artifacts = await keepFiles(answer.content, about, emitArtifact);
  return {
    text,
    ...(answer.structured === undefined ? {} : { structured: toJson(answer.structured) }),
    ...(artifacts.length === 0 ? {} : { artifacts }),
    ...(links.length === 0
      ? {}
      : { links: links.map((link) => ({ uri: textIn(link, 'uri'), name: textIn(link, 'name') })) }),
  };
}

async function keepFiles(
  content: readonly JsonObject[],
  about: { readonly server: string; readonly tool: string },
  emitArtifact: ToolContext['emitArtifact'],
): Promise<readonly ArtifactRef[]> {
  const files = content.flatMap((block, index) => fileIn(block, `${about.tool}-${index + 1}`) ?? []);
  if (files.length > MOST_ARTIFACTS)
    throw new OkaError<McpErrorCode>(
      'mcp.too_large',
      `${about.tool} of the MCP server "${about.server}" answered with ${files.length} files, and ${MOST_ARTIFACTS} are taken at most; ask it for less.`,
      { data: { ...about, files: files.length } },
    );
  const kept: ArtifactRef[] = [];
  for (const { bytes, name, mediaType } of files) kept.push(await emitArtifact(bytes, { name, mediaType }));
  return kept;
}

interface FoundFile {
  readonly bytes: string | Uint8Array;
  readonly name: string;
  readonly mediaType: string;
}

function fileIn(block: JsonObject, name: string): FoundFile | undefined {
  if (block['type'] === 'image' || block['type'] === 'audio')
    return { bytes: decode(textIn(block, 'data')), name, mediaType: mediaTypeOf(block) };
  const resource = block['resource'];
  if (block['type'] !== 'resource' || resource === null || typeof resource !== 'object') return undefined;
  const found = resource as JsonObject;
  const bytes = typeof found['blob'] === 'string' ? decode(found['blob']) : textIn(found, 'text');
  return { bytes, name: nameOf(textIn(found, 'uri')) || name, mediaType: mediaTypeOf(found) };
}

function decode(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64');
}

function mediaTypeOf(block: JsonObject): string {
  const told = block['mimeType'];
  if (typeof told === 'string' && MEDIA_TYPE.test(told)) return told.toLowerCase();
  return typeof block['text'] === 'string' ? 'text/plain' : 'application/octet-stream';
}

/** The last part of an address, as a name to show; it never becomes a path. */
function nameOf(uri: string): string {
  return cleanText(uri.split(/[/\\?#]/).findLast((part) => part !== '') ?? '', LONGEST_NAME);
}

function textIn(block: JsonObject, key: string): string {
  const value = block[key];
  return typeof value === 'string' ? value.toWellFormed() : '';
}

function toolFailed(about: { readonly server: string; readonly tool: string }, text: string): OkaError {
  const said = cleanText(text, LONGEST_FAILURE) || 'it did not say why';
  return new OkaError<McpErrorCode>(
    'mcp.tool_failed',
    `${cleanText(about.tool, LONGEST_NAME)} of the MCP server "${about.server}" failed: ${said}`,
    { data: { ...about, text: said } },
  );
}
