import { accessSync, constants, statSync } from 'node:fs';
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AgentFileErrorCode } from '../../agent/index.ts';
import { linkRefused, writeNewFile } from '../../disk/index.ts';
import { OkaError } from '../../kernel/index.ts';
import { type FrontMatterProblem, parseFrontMatter, renderFrontMatter } from './front-matter.ts';
import { explainRefusal, readPlainFile } from './plain-file.ts';

const MAX_BYTES = 256 * 1024;
const ENDING = '.md';
const FOLDER = join('.oka', 'agents');

/** A parsed agent file, or why it could not be parsed. */
export interface AgentFile {
  /** The file name without its extension. */
  readonly name: string;
  /** Relative to the workspace. */
  readonly path: string;
  readonly content:
    | { readonly fields: Readonly<Record<string, unknown>>; readonly body: string }
    | { readonly problem: FrontMatterProblem };
}

/** The agents that users wrote, one file each, in `.oka/agents`. */
export class AgentFiles {
  readonly #workspace: string;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Every file of the folder, by name. */
  async list(): Promise<readonly AgentFile[]> {
    return Promise.all((await this.#files()).map((file) => this.#read(file)));
  }

  /** The names of all files, without reading them. */
  async names(): Promise<readonly string[]> {
    return (await this.#files()).map((file) => file.slice(0, -ENDING.length));
  }

  async #files(): Promise<readonly string[]> {
    const names = await readdir(join(this.#workspace, FOLDER)).catch(() => []);
    return names.filter((name) => name.endsWith(ENDING) && !name.startsWith('.')).sort();
  }

  /** Writes the file of a new agent and returns its path; never replaces an existing file. */
  async create(name: string, fields: Readonly<Record<string, unknown>>, persona: string): Promise<string> {
    const path = join(FOLDER, name + ENDING);
    const text = await renderFrontMatter(fields, persona);
    await this.#makeFolder();
    try {
      writeNewFile(join(this.#workspace, path), text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw new OkaError<AgentFileErrorCode>(
        'agent.exists',
        `${path} already exists. Edit it, or choose another name.`,
        { data: { agent: name, path }, cause: error },
      );
    }
    return path;
  }

  /** Whether a script, relative to the workspace, can be read. */
  canRead(script: string): boolean {
    const file = resolve(this.#workspace, script);
    try {
      accessSync(file, constants.R_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  }

  /** Creates the folder. Rejects a link, which a cloned workspace may contain, because it could lead anywhere. */
  async #makeFolder(): Promise<void> {
    const folder = join(this.#workspace, FOLDER);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await realpath(folder)) !== join(await realpath(this.#workspace), FOLDER)) throw linkRefused(folder);
  }

  async #read(file: string): Promise<AgentFile> {
    const path = join(FOLDER, file);
    const name = file.slice(0, -ENDING.length);
    const found = await readPlainFile(this.#workspace, path, { maxBytes: MAX_BYTES });
    if ('refused' in found) {
      const why = explainRefusal(found.refused, { maxBytes: MAX_BYTES, shorten: 'Shorten the persona.' });
      return { name, path, content: { problem: { missing: false, ...why } } };
    }
    return { name, path, content: await parseFrontMatter(found.text, { scalars: 'typed' }) };
  }
}
