import type { PolicyRequest } from '../engine/index.ts';
import { asObject, foldName, type Json } from '../kernel/index.ts';

/** The input fields that hold paths, and those that hold addresses. */
export const PATH_FIELDS: readonly string[] = [
  'path',
  'paths',
  'from',
  'to',
  'cwd',
  'file',
  'file_path',
  'filePath',
  'directory',
  'folder',
  'source',
  'destination',
];
const ADDRESS_FIELDS: readonly string[] = ['url', 'uri'];

const MAX_PATH_LENGTH = 4_096;

/** A path in the workspace, in segments: as written, and folded as a file system might match it. */
export interface FactPath {
  readonly written: readonly string[];
  readonly folded: readonly string[];
}

/** Where the paths of a call lead. */
export interface FactPlaces {
  /** The folder that paths are relative to. */
  readonly workspace?: string;
  /**
   * The real path behind a path of the workspace, links resolved: relative to the workspace, or absolute if it leads outside.
   * A part that does not exist is kept as written.
   */
  readonly realPath?: (path: string) => string;
}

/** The facts about one call that conditions test. Each is computed on first use. */
export class CallFacts {
  readonly request: PolicyRequest;
  readonly #places: FactPlaces;
  #paths: readonly (FactPath | undefined)[] | undefined;
  #hosts: readonly (string | undefined)[] | undefined;

  constructor(request: PolicyRequest, places: FactPlaces = {}) {
    this.request = request;
    this.#places = places;
  }

  /** Every path in the input, as written and with links resolved; undefined for one outside the workspace. */
  get paths(): readonly (FactPath | undefined)[] {
    this.#paths ??= this.#pathsIn(PATH_FIELDS);
    return this.#paths;
  }

  /** The same for the folder that a program runs in. */
  get folders(): readonly (FactPath | undefined)[] {
    return this.#pathsIn(['cwd']);
  }

  /** The command line; undefined if the input has none. */
  get argv(): readonly string[] | undefined {
    const argv = this.at(['argv']);
    const isCommand =
      Array.isArray(argv) && argv.length > 0 && argv.every((word) => typeof word === 'string');
    return isCommand ? (argv as readonly string[]) : undefined;
  }

  /** Every host in the input; undefined for an address that cannot be parsed. */
  get hosts(): readonly (string | undefined)[] {
    this.#hosts ??= this.#values(ADDRESS_FIELDS).map((text) =>
      typeof text === 'string' ? readHost(text) : undefined,
    );
    return this.#hosts;
  }

  /** The value of an input field; undefined if it is missing. Ignores inherited names. */
  at(field: readonly (string | number)[]): Json | undefined {
    let value: Json | undefined = this.request.input;
    for (const part of field) {
      if (value === null || typeof value !== 'object') return undefined;
      if (Array.isArray(value) !== (typeof part === 'number') || !Object.hasOwn(value, part))
        return undefined;
      value = (value as Record<string | number, Json>)[part];
    }
    return value;
  }

  #pathsIn(fields: readonly string[]): readonly (FactPath | undefined)[] {
    const { workspace, realPath } = this.#places;
    return this.#values(fields).flatMap((text) => {
      if (typeof text !== 'string') return [undefined];
      const written = readPath(text, workspace);
      const inside = belowWorkspace(text, workspace);
      if (written === undefined || inside === undefined || realPath === undefined) return [written];
      const path = written.written.join('/') || '.';
      // "link/.." means the folder of the link to Oka, but the parent of its target to other programs.
      const asked = inside.split('/').includes('..') ? [path, inside] : [path];
      const real = asked.map(realPath).filter((one) => one !== path);
      return [written, ...real.map((one) => readPath(one, workspace))];
    });
  }

  /** The values of these fields and the items of lists in them. */
  #values(fields: readonly string[]): readonly Json[] {
    const input = asObject(this.request.input);
    return fields.filter((field) => Object.hasOwn(input, field)).flatMap((field) => input[field] as Json);
  }
}

/** Normalizes a path lexically, without following links; undefined if it leaves the workspace or is ambiguous. */
function readPath(text: string, workspace: string | undefined): FactPath | undefined {
  if (text.trim() === '' || text.length > MAX_PATH_LENGTH || text.includes('\0') || text.includes('\\'))
    return undefined;
  const inside = belowWorkspace(text, workspace);
  if (inside === undefined) return undefined;
  const written: string[] = [];
  for (const segment of inside.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') written.push(segment);
    else if (written.pop() === undefined) return undefined;
  }
  const folded = written.map(foldName);
  return folded.includes('') ? undefined : { written, folded };
}

function belowWorkspace(text: string, workspace: string | undefined): string | undefined {
  if (!text.startsWith('/')) return text;
  if (workspace === undefined) return undefined;
  const root = workspace.endsWith('/') ? workspace : `${workspace}/`;
  return `${text}/`.startsWith(root) ? text.slice(root.length) : undefined;
}

function readHost(text: string): string | undefined {
  try {
    const host = new URL(text).hostname.toLowerCase();
    return (host.endsWith('.') ? host.slice(0, -1) : host) || undefined;
  } catch {
    return undefined;
  }
}
