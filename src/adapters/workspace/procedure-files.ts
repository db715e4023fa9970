import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from '../../kernel/index.ts';
import {
  type FieldProblem,
  type NodeVersions,
  type Procedure,
  type ProcedureFault,
  readProcedure,
} from '../../memory/index.ts';
import { type PlainFileRefusal, readPlainFile } from './plain-file.ts';

const LARGEST_BYTES = 256 * 1024;
const LARGEST_BASIS_BYTES = 16 * 1024 * 1024;
const MOST_FILES = 500;
const ENDING = '.md';
const FOLDER = join('.oka', 'procedures');
const FENCE = /^---[ \t]*$/;

/** The procedures that people wrote, one file each, in `.oka/procedures`. */
export class ProcedureFiles {
  readonly #workspace: string;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Every procedure that can be used, and every fault with its file and line. */
  async all(): Promise<{
    readonly procedures: readonly (Procedure & { readonly path: string })[];
    readonly faults: readonly ProcedureFault[];
  }> {
    const names = await readdir(join(this.#workspace, FOLDER)).catch(() => []);
    const files = names.filter((name) => name.endsWith(ENDING) && !name.startsWith('.')).sort();
    const procedures = new Map<string, Procedure & { readonly path: string }>();
    const faults: ProcedureFault[] = [];
    for (const file of files.slice(0, MOST_FILES)) {
      const read = await this.#read(file);
      if ('faults' in read) faults.push(...read.faults);
      else if (procedures.has(read.procedure.name)) faults.push(twice(read.procedure));
      else procedures.set(read.procedure.name, read.procedure);
    }
    return { procedures: [...procedures.values()], faults };
  }

  async #read(
    file: string,
  ): Promise<
    | { readonly procedure: Procedure & { readonly path: string } }
    | { readonly faults: readonly ProcedureFault[] }
  > {
    const path = join(FOLDER, file);
    const found = await readPlainFile(this.#workspace, path, { maxBytes: LARGEST_BYTES });
    if ('refused' in found) return { faults: [{ path, line: 1, ...REFUSALS[found.refused] }] };
    const parsed = await parse(file.slice(0, -ENDING.length), found.text);
    if ('procedure' in parsed) return { procedure: { ...parsed.procedure, path } };
    return { faults: parsed.problems.map((problem) => ({ path, ...problem })) };
  }
}

/** The versions of files of a workspace, by what is in them; nothing is known of what cannot be read. */
export function fileVersions(workspace: string): NodeVersions {
  return {
    versionOf: async (path) => {
      if (path.startsWith('/') || path.split('/').includes('..')) return undefined;
      const found = await readPlainFile(workspace, path, { maxBytes: LARGEST_BASIS_BYTES });
      if ('text' in found) return digestOf(found.text);
      return found.refused === 'missing' ? 'missing' : undefined;
    },
  };
}

type PlacedProblem = Omit<ProcedureFault, 'path'>;

async function parse(
  name: string,
  document: string,
): Promise<{ readonly procedure: Procedure } | { readonly problems: readonly PlacedProblem[] }> {
  const lines = document.replace(/^\ufeff/, '').split(/\r?\n/);
  const end = lines.findIndex((line, i) => i > 0 && FENCE.test(line));
  if (!FENCE.test(lines[0] ?? '') || end < 0) {
    const next = 'Begin the file with a line of ---, the fields, and another line of ---.';
    return {
      problems: [{ line: 1, message: 'the file has no front matter between two lines of ---', next }],
    };
  }
  const source = lines.slice(1, end).join('\n');
  const { parseDocument } = await import('./yaml-library.ts');
  const yaml = parseDocument(source, { schema: 'core', logLevel: 'silent' });
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length + 1;
  const broken = [...yaml.errors, ...yaml.warnings].map(({ pos, message }) => ({
    line: lineAt(pos[0]),
    message: `the front matter is not YAML that is taken: ${(message.split('\n')[0] ?? '').replace(/:$/, '')}`,
    next: 'Write one field a line, and put texts with a colon, a # or braces in quotes.',
  }));
  if (broken.length > 0) return { problems: broken };
  const fields = plainFields(yaml);
  if (fields === undefined) {
    const next = 'Write one field a line, without anchors.';
    return {
      problems: [{ line: 2, message: 'the front matter is not a list of fields, each with a value', next }],
    };
  }
  const read = readProcedure(
    name,
    fields,
    lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  );
  if ('procedure' in read) return read;
  return {
    problems: read.problems.map((problem) => ({ line: lineOf(problem, yaml, lineAt), ...told(problem) })),
  };
}

type Yaml = ReturnType<typeof import('./yaml-library.ts')['parseDocument']>;

function plainFields(yaml: Yaml): Readonly<Record<string, unknown>> | undefined {
  try {
    const fields: unknown = yaml.contents === null ? {} : yaml.toJS({ maxAliasCount: 0 });
    const plain = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
    return plain ? (fields as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // An alias; the parser counts them only now.
    return undefined;
  }
}

/** The line of the deepest member on the way to the place that is there. */
function lineOf({ place }: FieldProblem, yaml: Yaml, lineAt: (offset: number) => number): number {
  for (let length = place.length; length > 0; length -= 1) {
    const node = yaml.getIn(place.slice(0, length), true) as { range?: readonly number[] | null } | undefined;
    if (node?.range) return lineAt(node.range[0] as number);
  }
  return 1;
}

function told({ message, next }: FieldProblem): Pick<ProcedureFault, 'message' | 'next'> {
  return { message, next };
}

function twice({ name, path }: Procedure & { readonly path: string }): ProcedureFault {
  const message = `another file has the procedure "${name}" already`;
  return { path, line: 1, message, next: 'Give one of them another name.' };
}

const REFUSALS: Readonly<Record<PlainFileRefusal, Pick<ProcedureFault, 'message' | 'next'>>> = {
  missing: { message: 'the file has just gone', next: 'Try again.' },
  link: {
    message: 'it is a link, and links are not followed here',
    next: 'Put the file itself in its place.',
  },
  not_a_file: { message: 'it is not a regular file', next: 'Put a text file in its place.' },
  too_large: { message: `it is larger than ${LARGEST_BYTES} bytes`, next: 'Shorten it.' },
  not_text: { message: 'it is not text in UTF-8', next: 'Save it as UTF-8.' },
  unreadable: { message: 'it cannot be read', next: 'Check its permissions.' },
};
