const LARGEST_FRONT_MATTER = 64 * 1024;
const BYTE_ORDER_MARK = '\ufeff';
const FENCE = /^---[ \t]*$/;

/** A document that begins with YAML between two lines of `---`. */
interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** True when an unseen mark stands before the first line. */
  readonly marked: boolean;
}

/** Why a document has no front matter that can be read. */
export interface FrontMatterProblem {
  readonly missing: boolean;
  readonly message: string;
  readonly next: string;
}

/**
 * Takes a document apart. With `scalars: 'text'` every scalar stays as it was written, so that the version 1.10 does not
 * become 1.1. Anchors, tags and repeated keys are refused.
 */
export async function parseFrontMatter(
  document: string,
  options: { readonly scalars: 'text' | 'typed' },
): Promise<FrontMatter | { readonly problem: FrontMatterProblem }> {
  const marked = document.startsWith(BYTE_ORDER_MARK);
  const lines = (marked ? document.slice(1) : document).split(/\r?\n/);
  if (!FENCE.test(lines[0] ?? '')) {
    const next = 'Begin the file with a line of ---, the fields, and another line of ---.';
    return absent('the file does not begin with a line of ---', next);
  }
  const end = lines.findIndex((line, i) => i > 0 && FENCE.test(line));
  if (end < 0) return absent('the front matter has no end', 'Put a line of --- after the fields.');
  const source = lines.slice(1, end).join('\n');
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  const parsed = await parseFields(source, options.scalars);
  return 'problem' in parsed ? parsed : { fields: parsed.fields, body, marked };
}

/** Writes a document that `parseFrontMatter` takes apart again. */
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
  if (source.length > LARGEST_FRONT_MATTER)
    return malformed(`the front matter is larger than ${LARGEST_FRONT_MATTER} characters`);
  const { parseDocument } = await import('./yaml-library.ts');
  try {
    const document = parseDocument(source, {
      schema: scalars === 'text' ? 'failsafe' : 'core',
      logLevel: 'silent',
    });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) return malformed(`the front matter is not YAML that is taken: ${firstLine(fault.message)}`);
    const fields: unknown = document.contents === null ? {} : document.toJS({ maxAliasCount: 0 });
    if (fields !== null && typeof fields === 'object' && !Array.isArray(fields))
      return { fields: fields as Readonly<Record<string, unknown>> };
    return malformed('the front matter is not a list of fields, each with a value');
  } catch (error) {
    return malformed(`the front matter is not YAML that is taken: ${firstLine((error as Error).message)}`);
  }
}

/** The line of the parser's sentence that says what is wrong; the others show the place. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '');
}

function absent(message: string, next: string): { readonly problem: FrontMatterProblem } {
  return { problem: { missing: true, message, next } };
}

function malformed(message: string): { readonly problem: FrontMatterProblem } {
  const next = 'Write one field a line, and put texts with a colon or a # in quotes.';
  return { problem: { missing: false, message, next } };
}
