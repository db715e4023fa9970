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
import { explainRefusal, readPlainFile } from './plain-file.ts';

const MAX_BYTES = 256 * 1024;
const MAX_BASIS_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 500;
const ENDING = '.md';
const FOLDER = join('.oka', 'procedures');
const FENCE = /^---[ \t]*$/;

/** The procedures that users wrote, one file each, in `.oka/procedures`. */
export class ProcedureFiles {
  readonly #workspace: string;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Every valid procedure, and every fault with its file and line. */
  async all(): Promise<{
    readonly procedures: readonly (Procedure & { readonly path: string })[];
    readonly faults: readonly ProcedureFault[];
  }> {
    const names = await readdir(join(this.#workspace, FOLDER)).catch(() => []);
    const files = names.filter((name) => name.endsWith(ENDING) && !name.startsWith('.')).sort();
    const procedures = new Map<string, Procedure & { readonly path: string }>();
    const faults: ProcedureFault[] = [];
    for (const file of files.slice(0, MAX_FILES)) {
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
    const found = await readPlainFile(this.#workspace, path, { maxBytes: MAX_BYTES });
    if ('refused' in found) {
      const why = explainRefusal(found.refused, { maxBytes: MAX_BYTES, shorten: 'Shorten it.' });
      return { faults: [{ path, line: 1, ...why }] };
    }
    const parsed = await parse(file.slice(0, -ENDING.length), found.text);
    if ('procedure' in parsed) return { procedure: { ...parsed.procedure, path } };
    return { faults: parsed.problems.map((problem) => ({ path, ...problem })) };
  }
}

/** Content versions of workspace files; unreadable files have none. */
export function fileVersions(workspace: string): NodeVersions {
  return {
    versionsOf: async (paths) => {
      const versions = new Map<string, { readonly version: string }>();
      for (const path of paths) {
        if (path.startsWith('/') || path.split('/').includes('..')) continue;
        const found = await readPlainFile(workspace, path, { maxBytes: MAX_BASIS_BYTES });
        if ('text' in found) versions.set(path, { version: digestOf(found.text) });
        else if (found.refused === 'missing') versions.set(path, { version: 'missing' });
      }
      return versions;
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
  if (!FENCE.test(lines[0] ?? '') || end < 0)
    return problem(
      1,
      'the file has no front matter between two lines of ---',
      'Start the file with a line of ---, the fields, and another line of ---.',
    );
  const source = lines.slice(1, end).join('\n');
  const { parseDocument } = await import('./yaml-library.ts');
  const yaml = parseDocument(source, { schema: 'core', logLevel: 'silent' });
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length + 1;
  const broken = [...yaml.errors, ...yaml.warnings].map(({ pos, message }) => ({
    line: lineAt(pos[0]),
    message: `the front matter is not valid YAML: ${(message.split('\n')[0] ?? '').replace(/:$/, '')}`,
    next: 'Write one field per line, and quote texts with a colon, a # or braces.',
  }));
  if (broken.length > 0) return { problems: broken };
  const fields = plainFields(yaml);
  if (fields === undefined)
    return problem(
      2,
      'the front matter is not a list of fields, each with a value',
      'Write one field per line, without anchors.',
    );
  const body = lines.slice(end + 1).join('\n');
  const read = readProcedure(name, fields, body.trim());
  if ('procedure' in read) return read;
  return {
    problems: read.problems.map(({ place, message, next }) => ({
      line: lineOf(place, yaml, lineAt),
      message,
      next,
    })),
  };
}

function problem(
  line: number,
  message: string,
  next: string,
): { readonly problems: readonly PlacedProblem[] } {
  return { problems: [{ line, message, next }] };
}

type Yaml = ReturnType<typeof import('./yaml-library.ts')['parseDocument']>;

function plainFields(yaml: Yaml): Readonly<Record<string, unknown>> | undefined {
  try {
    const fields: unknown = yaml.contents === null ? {} : yaml.toJS({ maxAliasCount: 0 });
    const plain = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
    return plain ? (fields as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // An alias; the parser resolves them only now.
    return undefined;
  }
}

/** The line of the deepest existing member on the path to the problem. */
function lineOf(place: FieldProblem['place'], yaml: Yaml, lineAt: (offset: number) => number): number {
  for (let length = place.length; length > 0; length -= 1) {
    const node = yaml.getIn(place.slice(0, length), true) as { range?: readonly number[] | null } | undefined;
    if (node?.range) return lineAt(node.range[0] as number);
  }
  return 1;
}

function twice({ name, path }: Procedure & { readonly path: string }): ProcedureFault {
  const message = `another file already has the procedure "${name}"`;
  return { path, line: 1, message, next: 'Rename one of them.' };
}
