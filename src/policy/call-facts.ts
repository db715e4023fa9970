import type { PolicyRequest } from '../engine/index.ts';
import { asObject, type Json } from '../kernel/index.ts';
import { foldName } from './fold-text.ts';

/** The input fields that hold paths, and those that hold addresses. */
const PATH_FIELDS: readonly string[] = [
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

/** The facts about one call that conditions test. Each is computed on first use. */
export class CallFacts {
  readonly request: PolicyRequest;
  readonly #workspace: string | undefined;
  #paths: readonly (FactPath | undefined)[] | undefined;
  #hosts: readonly (string | undefined)[] | undefined;

  constructor(request: PolicyRequest, workspace?: string) {
    this.request = request;
    this.#workspace = workspace;
  }

  /** Every path in the input; undefined for one outside the workspace. */
  get paths(): readonly (FactPath | undefined)[] {
    this.#paths ??= this.#values(PATH_FIELDS).map((text) =>
      typeof text === 'string' ? readPath(text, this.#workspace) : undefined,
    );
    return this.#paths;
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
