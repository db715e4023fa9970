const MAX_FRONT_MATTER_LENGTH = 64 * 1024;
const BYTE_ORDER_MARK = '\ufeff';
const FENCE = /^---[ \t]*$/;

/** A document that starts with YAML between two lines of `---`. */
interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** True when a byte order mark precedes the first line. */
  readonly marked: boolean;
}

/** Why the front matter of a document cannot be read. */
export interface FrontMatterProblem {
  readonly missing: boolean;
  readonly message: string;
  readonly next: string;
}

/**
 * Parses a document. With `scalars: 'text'` every scalar stays as written, so that the version 1.10 does not become 1.1.
 * Rejects anchors, tags and repeated keys.
 */
export async function parseFrontMatter(
  document: string,
  options: { readonly scalars: 'text' | 'typed' },
): Promise<FrontMatter | { readonly problem: FrontMatterProblem }> {
  const marked = document.startsWith(BYTE_ORDER_MARK);
  const lines = (marked ? document.slice(1) : document).split(/\r?\n/);
  if (!FENCE.test(lines[0] ?? '')) {
    const next = 'Start the file with a line of ---, the fields, and another line of ---.';
    return absent('the file does not start with a line of ---', next);
  }
  const end = lines.findIndex((line, i) => i > 0 && FENCE.test(line));
  if (end < 0) return absent('the front matter has no end', 'Add a line of --- after the fields.');
  const source = lines.slice(1, end).join('\n');
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  const parsed = await parseFields(source, options.scalars);
  return 'problem' in parsed ? parsed : { fields: parsed.fields, body, marked };
}

/** Writes a document that `parseFrontMatter` can parse. */
export async function renderFrontMatter(
  fields: Readonly<Record<string, unknown>>,
  body: string,
): Promise<string> {
  const { stringify } = await import('./yaml-library.ts');
  return `---\n${stringify(fields, { lineWidth: 0 })}---\n\n${body.trim()}\n`;
}

async function parseFields(
  source: string,
  scalars: 'text' | 'typed',
): Promise<{ readonly fields: FrontMatter['fields'] } | { readonly problem: FrontMatterProblem }> {
  if (source.length > MAX_FRONT_MATTER_LENGTH)
    return malformed(`the front matter is larger than ${MAX_FRONT_MATTER_LENGTH} characters`);
  const { parseDocument } = await import('./yaml-library.ts');
  try {
    const document = parseDocument(source, {
      schema: scalars === 'text' ? 'failsafe' : 'core',
      logLevel: 'silent',
    });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) return malformed(`the front matter is not valid YAML: ${firstLine(fault.message)}`);
    const fields: unknown = document.contents === null ? {} : document.toJS({ maxAliasCount: 0 });
    if (fields !== null && typeof fields === 'object' && !Array.isArray(fields))
      return { fields: fields as Readonly<Record<string, unknown>> };
    return malformed('the front matter is not a list of fields, each with a value');
  } catch (error) {
    return malformed(`the front matter is not valid YAML: ${firstLine((error as Error).message)}`);
  }
}

/** The first line of the parser's message; the others show the position. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '');
}

function absent(message: string, next: string): { readonly problem: FrontMatterProblem } {
  return { problem: { missing: true, message, next } };
}

function malformed(message: string): { readonly problem: FrontMatterProblem } {
  const next = 'Write one field per line, and quote texts with a colon or a #.';
  return { problem: { missing: false, message, next } };
}
