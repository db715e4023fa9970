// Owns: a draft: the folder of a copy-on-write view of the workspace, how it is mounted for a program, and its record.
// I1 Nothing that runs on a draft can write to the workspace.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../disk/index.ts';
import { digestOf, type Json, OkaError } from '../../kernel/index.ts';
import type { Draft, DraftChange, ToolsErrorCode } from '../../tools/index.ts';
import { changesBetween } from './draft-changes.ts';
import type { DraftSupport } from './draft-support.ts';
import { LAUNCHER } from './resource-limits.ts';
import { putSimulated, type SimulatedFiles } from './simulated-draft.ts';

export interface DraftOptions {
  /** The folder of all drafts of the workspace; not inside it. */
  readonly folder: string;
  /** The real path of the workspace. */
  readonly workspace: string;
  readonly support: Exclude<DraftSupport, { readonly kind: 'none' }>;
  /** A shell outside the workspace. */
  readonly shell: string;
  /** The program is part of a simulation, and works on its files. */
  readonly simulated?: SimulatedFiles | undefined;
}

const RECORD = 'record.json';
const PARTS = ['upper', 'work', 'view'];
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Drafts that nobody applied or refused are removed after this time. */
const MAX_AGE_MS = 30 * DAY_MS;
/** Larger workspaces are not copied. */
const MAX_COPIED_BYTES = 200 * 1024 * 1024;

/** Lists what the folders named on standard input contain in the view. */
const LIST = `cd view && xargs -0 "$0" -c 'for folder; do find "./$folder" -mindepth 1 -maxdepth 1 -print0; done' list`;
/** Marks the names on standard input as removed, as the overlay itself does. */
const HIDE = `cd "$1" && xargs -0 "$0" -c 'for path; do mknod "./$path" c 0 0 || exit 1; done' hide`;
const REMOVE = 'chmod -R u+rwX "$1" && rm -rf "$1"';
// Only GNU knows --reflink.
const COPY = 'cd "$1" && shift && { cp -a --reflink=auto -- "$@" 2>/dev/null || cp -a -- "$@"; }';

export class WorkspaceDraft implements Draft {
  readonly key: string;
  readonly existed: boolean;
  readonly #options: DraftOptions;
  readonly #folder: string;
  #startedAt = Date.now();

  private constructor(key: string, options: DraftOptions) {
    this.key = key;
    this.#options = options;
    this.#folder = join(options.folder, digestOf(key).slice(0, 32));
    this.existed = existsSync(this.#folder);
  }

  /** Opens the draft of a key. What an attempt left that kept no record is dropped. */
  static async open(key: string, options: DraftOptions): Promise<WorkspaceDraft> {
    const draft = new WorkspaceDraft(key, options);
    await sweep(options);
    if (existsSync(join(draft.#folder, RECORD))) return draft;
    await draft.discard();
    for (const part of PARTS) mkdirSync(join(draft.#folder, part), { recursive: true, mode: 0o700 });
    symlinkSync(options.workspace, join(draft.#folder, 'lower'));
    if (options.support.kind === 'copy') await copyWorkspace(options, draft.view);
    if (options.simulated !== undefined) await draft.#putSimulated(options.simulated);
    draft.#startedAt = Date.now();
    return draft;
  }

  /** What a program sees in place of the workspace. */
  get view(): string {
    return join(this.#folder, 'view');
  }

  /** The words that start a program with the view mounted. */
  wrap(words: readonly string[]): readonly string[] {
    const { support } = this.#options;
    return support.kind === 'overlay' ? [...support.enter(this.#folder), ...words] : words;
  }

  async kept(): Promise<Json | undefined> {
    const file = join(this.#folder, RECORD);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Json) : undefined;
  }

  async keep(record: Json): Promise<void> {
    replaceFile(join(this.#folder, RECORD), JSON.stringify(record));
  }

  async changes(): Promise<readonly DraftChange[]> {
    const { workspace, simulated } = this.#options;
    return changesBetween({
      written: this.#written,
      workspace,
      startedAt: this.#startedAt,
      simulated,
      ...(this.#isOverlay ? { namesIn: (folders: readonly string[]) => this.#namesIn(folders) } : {}),
    });
  }

  async trim(): Promise<void> {
    // No call of a simulation is repeated.
    if (this.#options.simulated !== undefined) return this.discard();
    for (const part of PARTS) await removeTree(join(this.#folder, part), this.#options.shell);
  }

  discard(): Promise<void> {
    return removeTree(this.#folder, this.#options.shell);
  }

  get #isOverlay(): boolean {
    return this.#options.support.kind === 'overlay';
  }

  /** Where the changes of a program arrive. */
  get #written(): string {
    return this.#isOverlay ? join(this.#folder, 'upper') : this.view;
  }

  async #putSimulated(files: SimulatedFiles): Promise<void> {
    const { workspace, shell } = this.#options;
    const hide = async (paths: readonly string[]): Promise<void> => {
      if (this.#isOverlay && paths.length > 0)
        await execute([shell, '-c', HIDE, shell, this.#written], paths.join('\0'));
    };
    await putSimulated(files, { written: this.#written, workspace, hide });
  }

  /** The paths in these folders of the view. A folder that was removed and made again hides what the workspace has there. */
  async #namesIn(folders: readonly string[]): Promise<ReadonlySet<string>> {
    const { shell } = this.#options;
    const listed = await execute(this.wrap([shell, '-c', LIST, shell]), folders.join('\0'));
    return new Set(listed.split('\0').map((path) => path.replace(/^\.\//, '')));
  }
}

/** Runs a program of the system; fails with its words. */
async function execute([program = '', ...args]: readonly string[], stdin = ''): Promise<string> {
  // Loaded lazily, because most processes never run a program.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' } });
    const [output, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve(Buffer.concat(output).toString());
      const said = Buffer.concat(errors).toString().trim().split('\n')[0] ?? '';
      return reject(draftFailed(said));
    });
  });
}

function draftFailed(why: string): OkaError<ToolsErrorCode> {
  return new OkaError(
    'process.draft_failed',
    `The draft of the workspace could not be used: ${why}. Nothing was changed. See: oka doctor`,
  );
}

/** Removes a tree, also one with folders that cannot be listed or with paths that are too long. */
async function removeTree(folder: string, shell: string): Promise<void> {
  if (!existsSync(folder)) return;
  try {
    // The kernel keeps a folder there that nobody may list.
    for (const inner of [join(folder, 'work', 'work'), join(folder, 'work')])
      if (existsSync(inner)) chmodSync(inner, 0o700);
    rmSync(folder, { recursive: true, force: true });
  } catch {
    await execute([shell, '-c', REMOVE, LAUNCHER, folder]);
  }
}

/** Removes the drafts that are too old. */
async function sweep({ folder, shell }: DraftOptions): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs = Date.now() } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
    // Of an applied draft only the record is left, until the outcome of its call is recorded too.
    const maxAge = existsSync(join(path, 'upper')) ? MAX_AGE_MS : DAY_MS;
    if (Date.now() - mtimeMs > maxAge) await removeTree(path, shell);
  }
}

async function copyWorkspace({ workspace, shell }: DraftOptions, target: string): Promise<void> {
  const names = readdirSync(workspace).filter((name) => name !== '.oka');
  if (!isSmall(workspace, names))
    throw draftFailed(
      `${workspace} has more than ${MAX_COPIED_BYTES / 1024 / 1024} MB, which are not copied`,
    );
  if (names.length > 0) await execute([shell, '-c', COPY, LAUNCHER, workspace, ...names, target]);
}

/** Whether the entries of a folder are small enough to be copied for each program. */
export function isSmall(folder: string, names: readonly string[]): boolean {
  let bytes = 0;
  const queue = names.map((name) => join(folder, name));
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    bytes += found?.size ?? 0;
    if (bytes > MAX_COPIED_BYTES) return false;
    if (found?.isDirectory())
      try {
        for (const name of readdirSync(path)) queue.push(join(path, name));
      } catch {
        // What cannot be listed cannot be copied either; the copy says so.
      }
  }
  return true;
}
