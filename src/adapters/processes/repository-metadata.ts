// Owns: finding every git repository below a workspace, protecting it in the sandbox, and disabling repositories that a program
// created. A repository can name programs in its configuration and hooks, which git runs for the person who enters the folder.
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemRandom } from '../../kernel/index.ts';
import { isPlainRepository } from './plain-repository.ts';

/** A `.git` entry, or a folder that git takes for a bare repository. */
interface Repository {
  readonly path: string;
  readonly kind: 'git' | 'bare';
  /** Identifies the entry even after a folder above it was renamed. */
  readonly id: string;
}

/** What a folder contains, as far as it matters here. */
interface Folder {
  readonly inode: number;
  readonly changedMs: number;
  readonly readMs: number;
  readonly folders: readonly string[];
  /** The names of `.git` entries, in any case. */
  readonly git: readonly string[];
  readonly bare: boolean;
}

export interface Scan {
  readonly repositories: readonly Repository[];
  /** False if the workspace has more folders than are checked. */
  readonly complete: boolean;
}

const MAX_FOLDERS = 200_000;
/** The scan yields to other work after this time. */
const SLICE_MS = 10;
/** A folder that changed this recently before it was read may change again without a new time. */
const TIME_GRANULARITY_MS = 2_000;
/** Files of a repository that decide which programs git runs. */
const DECISIVE = ['config', 'config.worktree', 'hooks', 'commondir'];

/** The repositories of one workspace. Unchanged folders are not read again. */
export class RepositoryMetadata {
  readonly #workspace: string;
  #folders = new Map<string, Folder>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Every repository. Does not look into the repositories in `known`, nor into `.oka`. */
  async scan(known: ReadonlySet<string> = new Set()): Promise<Scan> {
    const seen = new Map<string, Folder>();
    const repositories: Repository[] = [];
    const queue = [this.#workspace];
    let sliceEnd = performance.now() + SLICE_MS;
    for (let path = queue.pop(); path !== undefined && seen.size < MAX_FOLDERS; path = queue.pop()) {
      const folder = this.#read(path);
      if (folder === undefined) continue;
      seen.set(path, folder);
      if (folder.bare) repositories.push({ path, kind: 'bare', id: idOf(path) });
      for (const name of folder.git) repositories.push(this.#found(join(path, name)));
      for (const name of folder.folders) queue.push(join(path, name));
      // A program may have made its own; repositories inside it are disabled too.
      for (const name of folder.git)
        if (known.size > 0 && !known.has(idOf(join(path, name)))) queue.push(join(path, name));
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
    this.#folders = seen;
    return { repositories, complete: queue.length === 0 };
  }

  /** Disables the repositories that are not in `before`, and says what was done. */
  async disableNew(before: Scan, keepPlain: boolean): Promise<readonly string[]> {
    const known = new Set([...before.repositories.map(({ id }) => id), 'none']);
    const { repositories } = await this.scan(known);
    const added = repositories.filter(({ id }) => !known.has(id)).reverse();
    return added.flatMap((repository) =>
      keepPlain && isPlainRepository(repository.path) ? [] : [this.#disable(repository)],
    );
  }

  #disable({ path, kind }: Repository): string {
    const from = kind === 'bare' ? join(path, 'HEAD') : path;
    const to = `${from}.refused-${systemRandom.hex(4)}`;
    renameSync(from, to);
    const shown = (file: string): string => relative(this.#workspace, file);
    return `only people may create ${shown(from)}, so what the program put there was moved to ${shown(to)}`;
  }

  #found(path: string): Repository {
    return { path, kind: 'git', id: idOf(path) };
  }

  #read(path: string): Folder | undefined {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isDirectory()) return undefined;
    const cached = this.#folders.get(path);
    const unchanged =
      cached !== undefined &&
      cached.inode === stat.ino &&
      cached.changedMs === stat.ctimeMs &&
      cached.readMs - stat.ctimeMs > TIME_GRANULARITY_MS;
    return unchanged ? cached : readFolder(path, stat, path === this.#workspace);
  }
}

function readFolder(
  path: string,
  stat: { readonly ino: number; readonly ctimeMs: number },
  isRoot: boolean,
): Folder | undefined {
  const readMs = Date.now();
  const folders: string[] = [];
  const git: string[] = [];
  const names = new Set<string>();
  try {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const { name } = entry;
      if (name.length === 4 && name.toLowerCase() === '.git') git.push(name);
      else if (entry.isDirectory() && !(isRoot && name === '.oka')) folders.push(name);
      if (/^(head|objects|refs|commondir)$/i.test(name)) names.add(name.toLowerCase());
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A folder that this user cannot list cannot be entered by this user's git.
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR') return undefined;
    throw error;
  }
  const bare = names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
  return { inode: stat.ino, changedMs: stat.ctimeMs, readMs, folders, git, bare };
}

/** The birth time tells a reused inode from the earlier entry. */
function idOf(path: string): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? 'none' : `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
}

/** Bubblewrap arguments that make repositories read-only; for git itself only what decides which programs it runs. */
export function repositoryGuards(workspace: string, { repositories }: Scan, forGit: boolean): string[] {
  const outside = linkedRepository(workspace);
  return [...repositories.map(({ path }) => path), ...outside].flatMap((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // A link cannot be bound; replacing it is detected afterwards.
    if (stat === undefined || stat.isSymbolicLink()) return [];
    if (path === workspace) return readOnly([join(path, 'HEAD'), ...decisiveFiles(path)].filter(isPlain));
    if (!forGit || !stat.isDirectory()) return readOnly([path]);
    // An absent folder cannot be bound, and git would run what is put there.
    mkdirSync(join(path, 'hooks'), { recursive: true });
    return ['--bind', path, path, ...readOnly(decisiveFiles(path))];
  });
}

function readOnly(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => ['--ro-bind', path, path]);
}

function decisiveFiles(repository: string): readonly string[] {
  const modules = subfolders(join(repository, 'modules'));
  return [repository, ...modules].flatMap((folder) =>
    DECISIVE.map((name) => join(folder, name)).filter((path) => isPlain(path)),
  );
}

function subfolders(path: string): readonly string[] {
  if (!isPlain(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name));
}

function isPlain(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false;
}

/**
 * The repository outside the workspace that a linked worktree belongs to. It must name this workspace itself, because the
 * workspace's own `.git` file may come from a stranger.
 */
function linkedRepository(workspace: string): readonly string[] {
  const file = join(workspace, '.git');
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return [];
  try {
    const [, written] = /^gitdir: (.+)\n?$/.exec(readFileSync(file, 'utf8')) ?? [];
    if (written === undefined) return [];
    const folder = resolve(workspace, written);
    if (readFileSync(join(folder, 'gitdir'), 'utf8').trim() !== file) return [];
    const common = resolve(folder, readFileSync(join(folder, 'commondir'), 'utf8').trim());
    const isReal = isAbsolute(common) && folder.startsWith(join(common, 'worktrees') + sep);
    return isReal && dirname(common) !== workspace ? [common] : [];
  } catch {
    return [];
  }
}
