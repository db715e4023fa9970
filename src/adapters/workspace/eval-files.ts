import { lstatSync, mkdirSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../disk/index.ts';
import { didYouMean, nearestName, OkaError } from '../../kernel/index.ts';
import { explainRefusal, readPlainFile } from './plain-file.ts';

const FOLDER = 'evals';
const BLOBS = join(FOLDER, 'blobs');
const ENDING = '.json';
const MAX_BYTES = 64 * 1024 * 1024;
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const DIGEST = /^[0-9a-f]{64}$/;

/** The eval cases of a workspace: `evals/<name>.json`, with long texts in `evals/blobs/<digest>`. */
export class EvalFiles {
  readonly #workspace: string;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  async names(): Promise<readonly string[]> {
    const files = await readdir(join(this.#workspace, FOLDER)).catch(() => []);
    return files
      .filter((file) => file.endsWith(ENDING) && NAME.test(file))
      .map((file) => file.slice(0, -ENDING.length))
      .sort();
  }

  /** The path of a case, relative to the workspace. */
  pathOf(name: string): string {
    if (NAME.test(name)) return join(FOLDER, `${name}${ENDING}`);
    throw new OkaError(
      'eval.invalid',
      `"${name}" is not a name of an eval case: use lower-case letters, digits, dots, - and _.`,
    );
  }

  async has(name: string): Promise<boolean> {
    return (await this.names()).includes(name);
  }

  async read(name: string): Promise<string> {
    const path = this.pathOf(name);
    const found = await readPlainFile(this.#workspace, path, { maxBytes: MAX_BYTES });
    if ('text' in found) return found.text;
    if (found.refused === 'missing') {
      const near = didYouMean(nearestName(name, await this.names()), 'See: oka eval list.');
      throw new OkaError('eval.unknown', `There is no eval case "${name}". ${near}`, {
        data: { case: name },
      });
    }
    const { message, next } = explainRefusal(found.refused, {
      maxBytes: MAX_BYTES,
      shorten: 'Add it again.',
    });
    throw new OkaError('eval.invalid', `${path} cannot be used: ${message}. ${next}`);
  }

  async readBlob(digest: string): Promise<string | undefined> {
    if (!DIGEST.test(digest)) return undefined;
    const found = await readPlainFile(this.#workspace, join(BLOBS, digest), { maxBytes: MAX_BYTES });
    return 'text' in found ? found.text : undefined;
  }

  /** Replaces the file atomically. Its blobs are written first. */
  async write(name: string, text: string, blobs: ReadonlyMap<string, string>): Promise<string> {
    const path = this.pathOf(name);
    this.#makeFolder(FOLDER);
    if (blobs.size > 0) this.#makeFolder(BLOBS);
    for (const [digest, blob] of blobs)
      await writeFile(join(this.#workspace, BLOBS, digest), blob, { flag: 'wx' }).catch(ignoreExisting);
    const whole = join(this.#workspace, path);
    replaceFile(whole, text, { mode: 0o644 });
    return path;
  }

  /** Makes a folder of the workspace. A link could lead outside of it. */
  #makeFolder(folder: string): void {
    const path = join(this.#workspace, folder);
    mkdirSync(path, { recursive: true });
    if (lstatSync(path).isDirectory()) return;
    throw new OkaError('eval.link_refused', `${folder} is not a folder of its own. Remove the link or file.`);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
