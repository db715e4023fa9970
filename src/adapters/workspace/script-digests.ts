import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, relative, resolve, sep } from 'node:path';
import { isProgram } from '../../disk/index.ts';
import { type Digest, startDigest } from '../../kernel/index.ts';

const CHUNK_BYTES = 1024 * 1024;

const INTERPRETER = /^(?:(?:ba|da|z|k|fi)?sh|node|deno|bun|tsx|python[\d.]*|ruby|perl|php|lua|env)$/;
const SCRIPT_NAME = /\.(?:[cm]?[jt]sx?|sh|bash|zsh|fish|py|rb|pl|php|lua|ps1|jar|wasm)$/i;

/**
 * Digests of the programs and scripts of the workspace that a command names, such as the script in `node scripts/notify.mjs`.
 * Other files are data, which a command may change itself. A file is read again only if its inode, size, or one of its times
 * has changed; no program can set the time of the last change.
 */
export class ScriptDigests {
  readonly #workspace: string;
  readonly #known = new Map<string, { readonly version: string; readonly digest: Digest }>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** The digests by path in the workspace. */
  digests(command: readonly string[]): Readonly<Record<string, string>> {
    const root = realpathSync(this.#workspace);
    const found: Record<string, string> = {};
    const run = wordsThatRun(command);
    for (const word of command.flatMap(pathsIn)) {
      const file = realFile(resolve(root, word));
      if (!file?.startsWith(root + sep)) continue;
      if (run.includes(word) || isScript(file)) found[relative(root, file)] = this.#digest(file);
    }
    return found;
  }

  #digest(file: string): Digest {
    const descriptor = openSync(file, 'r');
    try {
      const { ino, size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
      const version = `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
      const known = this.#known.get(file);
      if (known?.version === version) return known.digest;
      const digest = digestOfContent(descriptor);
      this.#known.set(file, { version, digest });
      return digest;
    } finally {
      closeSync(descriptor);
    }
  }
}

/** A word may be a path, or an option with one, such as `--config=hooks/config.json`. */
function pathsIn(word: string): readonly string[] {
  const value = /^-[^=]*=(.+)$/s.exec(word)?.[1];
  return value === undefined ? [word] : [word, value];
}

/** The program, and the file that an interpreter runs. */
function wordsThatRun([program = '', ...rest]: readonly string[]): readonly string[] {
  const script = INTERPRETER.test(basename(program)) ? rest.find((word) => !word.startsWith('-')) : undefined;
  return script === undefined ? [program] : [program, script];
}

function isScript(file: string): boolean {
  return SCRIPT_NAME.test(file) || isProgram(file);
}

function realFile(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    // No such file, or a word that cannot be a path.
    return undefined;
  }
}

function digestOfContent(descriptor: number): Digest {
  const digest = startDigest();
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk))
    digest.update(chunk.subarray(0, length));
  return digest.end();
}
