import { decodeText } from './decode-text.ts';

const TEXT =
  /^text\/|[/+](json|xml|yaml|javascript|ecmascript|x-www-form-urlencoded|graphql|toml|csv)$|\/jsonl$|\/x-ndjson$/;
const LOOKED_AT_BYTES = 1_024;

/** The media type that a Content-Type header names, without its parameters. */
export function mediaTypeIn(header: string | undefined): string {
  return header?.split(';', 1)[0]?.trim().toLowerCase() || 'application/octet-stream';
}

/** The text of a body, by the charset that its header, its first bytes or its markup name; undefined for what is none. */
export function decodeBody(
  body: Uint8Array,
  header: string | undefined,
  truncated: boolean,
): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(header ?? '')?.[1] ?? charsetInMarkup(body, header);
  if (charset === undefined && !TEXT.test(mediaTypeIn(header))) return decodeText(body, truncated);
  const decoder = decoderFor(markOf(body) ?? charset);
  // A character that was cut at the end is left out.
  return decoder.decode(body, { stream: truncated });
}

function charsetInMarkup(body: Uint8Array, header: string | undefined): string | undefined {
  if (!/^(text\/html|.*xml)$/.test(mediaTypeIn(header))) return undefined;
  const start = new TextDecoder('latin1').decode(body.subarray(0, LOOKED_AT_BYTES));
  return /<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?([A-Za-z0-9_:.-]+)/i.exec(start)?.[1];
}

/** The encoding that a byte order mark stands for. */
function markOf(body: Uint8Array): string | undefined {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

function decoderFor(charset: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
