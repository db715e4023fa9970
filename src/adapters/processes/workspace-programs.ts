import { readdirSync, realpathSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { digestOfFile, isProgram, isRecorded, namedFiles } from '../../disk/index.ts';
import type { Binding, BindingPart, BoundFile } from '../../engine/index.ts';
import { OkaError, type OkaErrorOptions } from '../../kernel/index.ts';
import type { InstallRecord, ToolsErrorCode } from '../../tools/index.ts';

export interface WorkspaceProgramsOptions {
  readonly workspace: string;
  /** Folders of installed programs, searched before the PATH; relative to the workspace. */
  readonly toolFolders: readonly string[];
  /** What Oka installed there; without it only approved programs are found there. */
  readonly installs?: InstallRecord['read'];
  /** Whether the user approved the program at this path, with the content that it has now. */
  readonly isApproved?: (path: string) => boolean;
}

/**
 * Finds the programs of a workspace: its own ones first, then those of the system. A program in a tool folder is visible only if
 * Oka installed and recorded it, or the user approved its content: a cloned workspace may contain programs with any name.
 */
export class WorkspacePrograms {
  readonly #workspace: string;
  readonly #toolRoot: string;
  readonly #toolFolders: readonly string[];
  readonly #installs: InstallRecord['read'];
  readonly #isApproved: (path: string) => boolean;

  constructor({
    workspace,
    toolFolders,
    installs = () => ({}),
    isApproved = () => false,
  }: WorkspaceProgramsOptions) {
    this.#workspace = resolve(workspace);
    this.#toolRoot = join(this.#workspace, '.oka', 'tools');
    this.#toolFolders = toolFolders.map((folder) => resolve(workspace, folder));
    this.#installs = installs;
    this.#isApproved = isApproved;
  }

  /** The folders for the PATH of a program. A tool folder with anything that is neither installed nor approved is left out. */
  folders(): readonly string[] {
    const record = this.#installs();
    const tools = this.#toolFolders.filter((folder) => {
      const names = filesIn(folder);
      return names.length > 0 && names.every((name) => this.#isVisible(join(folder, name), record));
    });
    return [...tools, ...this.systemFolders()];
  }

  /** The PATH folders outside the workspace, links resolved. */
  systemFolders(): readonly string[] {
    const roots = [this.#workspace, realOf(this.#workspace)];
    return pathFolders().filter(
      (folder) => !roots.some((root) => isWithin(root, resolve(folder)) || isWithin(root, realOf(folder))),
    );
  }

  /** A bare name is looked up in program folders, never in the workspace; a path is used as is. */
  async find(name: string, cwd: string): Promise<string> {
    if (name === '' || name.includes('\0')) throw programMissing(name);
    if (!name.includes('/')) {
      const found = this.#visible(name) ?? findProgram(name, this.systemFolders());
      if (found === undefined) throw programMissing(name, this.#unrecorded(name));
      return found;
    }
    const path = isAbsolute(name) ? name : resolve(cwd, name);
    if (isProgram(path)) return path;
    throw (await stat(path).catch(() => undefined)) ? notExecutable(name) : programMissing(name);
  }

  /** The program that these words would start and, for `all`, the files of the workspace that they name, by content. */
  async identify(argv: readonly string[], cwd: string, part: BindingPart): Promise<Binding['files']> {
    const [name = '', ...words] = argv;
    const found = await this.find(name, cwd).catch(() => undefined);
    const program = await this.#describe(name.includes('/') ? resolve(cwd, name) : name, found);
    if (part === 'program') return [program];
    const root = realOf(this.#workspace);
    const files: BoundFile[] = [];
    for (const path of namedFiles(words, cwd, root)) {
      const digest = await digestOfFile(path);
      if (digest !== undefined)
        files.push({ role: 'file', name: relative(root, path), path, digest, owner: 'workspace' });
    }
    return [program, ...files];
  }

  async #describe(name: string, found: string | undefined): Promise<BoundFile> {
    if (found === undefined) return { role: 'program', name };
    const path = await realpath(found);
    const digest = await digestOfFile(path);
    const owner = this.#ownerOf(found, path);
    return { role: 'program', name, path, ...(digest === undefined ? {} : { digest }), owner };
  }

  #ownerOf(found: string, real: string): NonNullable<BoundFile['owner']> {
    if (this.#toolFolders.includes(dirname(found)) && this.#isInstalled(found, this.#installs()))
      return 'oka';
    const isOwn = this.#toolFolders.includes(dirname(found)) && this.#isApproved(found);
    if (isWithin(realOf(this.#workspace), real) && !isOwn) return 'workspace';
    return isSystemFile(real) ? 'system' : 'user';
  }

  #visible(name: string): string | undefined {
    const candidates = this.#toolFolders.map((folder) => join(folder, name)).filter(isProgram);
    if (candidates.length === 0) return undefined;
    const record = this.#installs();
    return candidates.find((path) => this.#isVisible(path, record));
  }

  #unrecorded(name: string): string | undefined {
    return this.#toolFolders.map((folder) => join(folder, name)).find(isProgram);
  }

  #isVisible(path: string, record: ReturnType<InstallRecord['read']>): boolean {
    return this.#isInstalled(path, record) || this.#isApproved(path);
  }

  #isInstalled(path: string, record: ReturnType<InstallRecord['read']>): boolean {
    return isRecorded(this.#toolRoot, relative(this.#toolRoot, path), record);
  }
}

/** The names in a folder that are not folders. */
function filesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

const ROOT = 0;
const WRITABLE_BY_OTHERS = 0o022;
/** For root every file is its own; these folders belong to the package manager. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt', '/nix', '/snap'];

/** Whether only the administrator can change a file: root owns it and every folder above it. */
function isSystemFile(path: string): boolean {
  if (process.getuid?.() === ROOT && !SYSTEM_FOLDERS.some((folder) => isWithin(folder, path))) return false;
  for (let one = path; ; one = dirname(one)) {
    const { uid, mode } = statSync(one);
    if (uid !== ROOT || (mode & WRITABLE_BY_OTHERS) !== 0) return false;
    if (one === dirname(one)) return true;
  }
}

/** The real path of a workspace folder. */
export async function folderInside(root: string, path: string): Promise<string> {
  const real = await realpath(resolve(root, path)).catch(() => undefined);
  const refuse = (code: ToolsErrorCode, what: string): OkaError<ToolsErrorCode> =>
    new OkaError(code, `"${path}" ${what}. Use a folder of the workspace as cwd.`, { data: { path } });
  if (real === undefined) throw refuse('files.not_found', 'does not exist');
  if (!isWithin(root, real)) throw refuse('files.outside_workspace', 'is outside the workspace');
  if (!(await stat(real)).isDirectory()) throw refuse('files.not_a_folder', 'is not a folder');
  return real;
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Finds a program in the first folder that contains it. Default: the PATH. */
export function findProgram(name: string, folders: readonly string[] = pathFolders()): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** The absolute folders of the PATH. Relative ones are ignored because their meaning changes. */
export function pathFolders(): readonly string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
}

export function processError(
  code: ToolsErrorCode,
  program: string,
  message: string,
  options: OkaErrorOptions = {},
): OkaError<ToolsErrorCode> {
  return new OkaError(code, message, { ...options, data: { program, ...options.data } });
}

/** `unrecorded`: a program of this name in a tool folder, which Oka did not install or which changed. */
export function programMissing(program: string, unrecorded?: string): OkaError<ToolsErrorCode> {
  const next =
    unrecorded === undefined
      ? 'Install it, or use another one'
      : `${unrecorded} is not used: Oka did not install it, or it changed since, and you have not approved it as it is now. Review it with: oka trust`;
  return processError(
    'process.program_missing',
    program,
    `Program "${program}" not found. ${next}.`,
    unrecorded === undefined ? {} : { data: { unrecorded } },
  );
}

export function notExecutable(program: string): OkaError<ToolsErrorCode> {
  return processError(
    'process.not_executable',
    program,
    `"${program}" is not executable. Make it executable, or run it with its interpreter.`,
  );
}

/** Explains why the system did not start a program. */
export function startError(error: unknown, program: string): unknown {
  const system = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (system === undefined) return error;
  if (system === 'ENOENT') return programMissing(program);
  if (system === 'EACCES' || system === 'ENOEXEC') return notExecutable(program);
  return processError(
    'process.start_failed',
    program,
    `The system could not start "${program}" (${system}). Try again with fewer or shorter arguments.`,
    { cause: error, data: { system }, transient: system === 'EAGAIN' || system === 'EMFILE' },
  );
}
