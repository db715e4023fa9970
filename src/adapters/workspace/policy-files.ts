import { lstatSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readRegularFile } from '../../disk/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { PolicyErrorCode, PolicySource } from '../../policy/index.ts';

const MAX_BYTES = 256 * 1024;
const OWN_FOLDER = '.oka';

interface Place {
  /** The displayed and recorded path, the same on every machine. */
  readonly file: string;
  readonly path: string;
  readonly owner: 'user' | 'project';
}

/** A possible location of a policy and its content. */
interface PolicyFile extends Place {
  readonly source?: PolicySource;
}

/** The policy files of a user and of a workspace. Those of a workspace are read only when it is trusted. */
export class PolicyFiles {
  readonly places: readonly Place[];
  readonly #read: readonly Place[];

  constructor(options: {
    readonly workspaceFolder: string;
    readonly home: string;
    readonly trusted: boolean;
  }) {
    const { workspaceFolder, home, trusted } = options;
    this.places = [
      { file: 'OKA_HOME/POLICY.md', path: join(home, 'POLICY.md'), owner: 'user' },
      { file: 'POLICY.md', path: join(workspaceFolder, 'POLICY.md'), owner: 'project' },
      { file: '.oka/POLICY.md', path: join(workspaceFolder, OWN_FOLDER, 'POLICY.md'), owner: 'project' },
    ];
    this.#read = this.places.filter(({ owner }) => trusted || owner === 'user');
  }

  /** The policies at the readable locations. Rejects links in the workspace and unreadable files. */
  read(): readonly PolicyFile[] {
    return this.#read.map((place) => {
      const text = readPlace(place);
      return { ...place, ...(text === undefined ? {} : { source: { file: place.file, text } }) };
    });
  }

  /** Changes whenever a readable policy file changes. */
  stamp(): string {
    return this.#read.map(stampOf).join(' ');
  }
}

function stampOf({ path, owner }: Place): string {
  try {
    const look = owner === 'user' ? statSync : lstatSync;
    const found = look(path, { throwIfNoEntry: false });
    if (found === undefined) return '-';
    const { ino, size, mtimeMs, ctimeMs } = found;
    return `${ino}/${size}/${mtimeMs}/${ctimeMs}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unreadable';
  }
}

/** The text of a policy, or undefined if there is none. */
function readPlace({ path, owner }: Place): string | undefined {
  // A cloned folder may contain links to anywhere; users may arrange their own folder as they like.
  const folder = dirname(path);
  const root = basename(folder) === OWN_FOLDER ? dirname(folder) : folder;
  const found = readRegularFile(path, { maxBytes: MAX_BYTES, ...(owner === 'user' ? {} : { root }) });
  if ('bytes' in found) return textOf(found.bytes, path);
  const { refused, cause } = found;
  if (refused === 'missing' && cause?.code === 'ENOENT') return undefined;
  if (refused === 'link' && owner === 'project') throw linkRefused(path);
  const why = { not_a_file: 'it is not a file', too_large: `it is larger than ${MAX_BYTES} bytes` };
  throw unreadable(path, why[refused as keyof typeof why] ?? `the system says ${cause?.code}`, cause);
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(path, 'it is not UTF-8 text', error);
  }
}

function linkRefused(path: string): OkaError<PolicyErrorCode> {
  return new OkaError(
    'policy.link_refused',
    `${path} is a link, and workspace policies are never read through links. Replace it with the file itself, or remove it.`,
    { data: { path } },
  );
}

function unreadable(path: string, why: string, cause?: unknown): OkaError<PolicyErrorCode> {
  return new OkaError(
    'policy.unreadable',
    `${path} cannot be read as a policy, so nothing starts: ${why}. Fix it or remove it.`,
    { data: { path }, cause },
  );
}
