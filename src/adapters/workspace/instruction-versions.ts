// Owns: the versions of the texts that instruct agents, as the last run found them, in the user's folder.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../disk/index.ts';
import { digestOf } from '../../kernel/index.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

interface Version {
  readonly size: number;
  readonly changedAt: number;
  readonly digest: string;
}

type Versions = Readonly<Record<string, Version>>;

const FOLDERS = ['.oka/agents', '.oka/skills', '.oka/graphs', '.oka/procedures'];
const MAX_DEPTH = 4;
const MAX_FILES = 1_000;
const MAX_BYTES = 1024 * 1024;

export class InstructionVersions {
  readonly #workspace: string;
  readonly #file: string;

  constructor(home: string, workspace: string) {
    this.#workspace = workspace;
    this.#file = join(home, 'instructions', `${digestOf(workspace).slice(0, 32)}.json`);
  }

  /** The paths that changed since the last call, in any process; none at the first call. Only changed files are read. */
  changes(): readonly string[] {
    const known = readJsonFile(this.#file) as Versions | undefined;
    const found = this.#find(known ?? {});
    const paths = [...new Set([...Object.keys(known ?? {}), ...Object.keys(found)])];
    const touched = paths.filter((path) => found[path] !== known?.[path]);
    if (known === undefined || touched.length > 0) writeJsonFile(this.#file, found);
    if (known === undefined) return [];
    return touched.filter((path) => found[path]?.digest !== known[path]?.digest).sort();
  }

  /** The current versions; that of an unchanged file is the known object. */
  #find(known: Versions): Versions {
    const files = ['AGENTS.md', ...FOLDERS.flatMap((folder) => this.#filesIn(folder, MAX_DEPTH))];
    const found: Record<string, Version> = {};
    for (const path of files.slice(0, MAX_FILES)) {
      const version = this.#versionOf(path, known[path]);
      if (version !== undefined) found[path] = version;
    }
    return found;
  }

  #filesIn(folder: string, depth: number): readonly string[] {
    if (
      depth === 0 ||
      lstatSync(join(this.#workspace, folder), { throwIfNoEntry: false })?.isDirectory() !== true
    )
      return [];
    return readdirSync(join(this.#workspace, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? this.#filesIn(path, depth - 1) : [path];
    });
  }

  #versionOf(path: string, known: Version | undefined): Version | undefined {
    const file = join(this.#workspace, path);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found?.isFile() !== true) return undefined;
    const { size, ctimeMs: changedAt } = found;
    if (known?.size === size && known.changedAt === changedAt) return known;
    const content = readRegularFile(file, { maxBytes: MAX_BYTES });
    return { size, changedAt, digest: 'bytes' in content ? digestOf(content.bytes) : `${size}` };
  }
}
