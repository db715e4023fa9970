import { realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import { isProgram } from '../../disk/index.ts';
import { OkaError, type OkaErrorOptions } from '../../kernel/index.ts';
import type { ToolsErrorCode } from '../../tools/index.ts';

/** Finds the programs of a workspace: its installed ones first, then those of the system. */
export class WorkspacePrograms {
  readonly #workspace: string;
  readonly #toolFolders: readonly string[];

  constructor(workspace: string, toolFolders: readonly string[]) {
    this.#workspace = resolve(workspace);
    this.#toolFolders = toolFolders.map((folder) => resolve(workspace, folder));
  }

  folders(): readonly string[] {
    return [...this.#toolFolders, ...this.systemFolders()];
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
      const found = findProgram(name, this.folders());
      if (found === undefined) throw programMissing(name);
      return found;
    }
    const path = isAbsolute(name) ? name : resolve(cwd, name);
    if (isProgram(path)) return path;
    throw (await stat(path).catch(() => undefined)) ? notExecutable(name) : programMissing(name);
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
    return realpathSync(path);
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

export function programMissing(program: string): OkaError<ToolsErrorCode> {
  return processError(
    'process.program_missing',
    program,
    `Program "${program}" not found. Install it, or use another one.`,
  );
}

function notExecutable(program: string): OkaError<ToolsErrorCode> {
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
