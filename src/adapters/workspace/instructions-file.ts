import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { readPlainFile } from './plain-file.ts';

const FILE_NAME = 'AGENTS.md';
const MAX_BYTES = 64 * 1024;
const MAX_FOLDERS = 32;
const CLOSED: readonly string[] = ['.oka', '.git'];

/** A user's instructions for every agent that works in a folder. */
export interface Instructions {
  /** Relative to the workspace. */
  readonly path: string;
  readonly text: string;
  /** True when only the beginning was read. */
  readonly truncated: boolean;
}

/**
 * The `AGENTS.md` files from the workspace down to `folder`, outermost first, so that the nearest has precedence. A link is
 * followed only inside the workspace. The caller has checked that the workspace is trusted.
 */
export async function readInstructions(
  workspace: string,
  folder: string = workspace,
): Promise<readonly Instructions[]> {
  const root = await realpath(workspace);
  const inside = relative(root, await realpath(folder).catch(() => root));
  const parts = inside === '' || isOutside(inside) ? [] : inside.split(sep).slice(0, MAX_FOLDERS);
  const paths = [FILE_NAME, ...parts.map((_, i) => join(...parts.slice(0, i + 1), FILE_NAME))];
  const found = await Promise.all(paths.map((path) => readOne(root, path)));
  return found.filter((instructions) => instructions !== undefined);
}

async function readOne(root: string, path: string): Promise<Instructions | undefined> {
  const real = await realpath(join(root, path)).catch(() => undefined);
  const inside = real === undefined ? undefined : relative(root, real);
  if (inside === undefined || isOutside(inside)) return undefined;
  if (inside.split(sep).some((part) => CLOSED.includes(part))) return undefined;
  const file = await readPlainFile(root, inside, { maxBytes: MAX_BYTES, cut: true });
  if ('refused' in file || file.text.trim() === '') return undefined;
  return { path: path.split(sep).join('/'), text: file.text, truncated: file.truncated };
}

function isOutside(inside: string): boolean {
  return inside === '..' || inside.startsWith(`..${sep}`);
}
