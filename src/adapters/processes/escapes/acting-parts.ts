// Owns: what of a scratch workspace would act, or act with other rights, for the person who uses the folder.
import { chmodSync, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isBelow } from '../../../disk/index.ts';
import { foldName } from '../../../kernel/index.ts';
import { existing } from '../visible-folders.ts';

const SPECIAL_BITS = 0o6000;
/** A repository, or the file that leads git to one. */
const REPOSITORY = /^(\.git|git~1)$/;
/** What only people change. */
const GUARDED = /^(\.oka|policy\.md|\.mcp\.json)$/;

/**
 * The parts of every repository, what only people change, links that lead out, programs that act as their owner, and what is
 * neither file nor folder. Parts are named by their place in a repository, because a folder around one may be moved.
 */
export function actingParts(workspace: string): ReadonlySet<string> {
  const parts = new Set<string>();
  const visit = (folder: string, around: string | undefined): void => {
    // A program may have closed it.
    chmodSync(folder, 0o700);
    const names = readdirSync(folder);
    const repository = around ?? (isBare(names) ? folder : undefined);
    for (const name of names) {
      const path = join(folder, name);
      const stat = lstatSync(path);
      const folded = foldName(name);
      const starts = REPOSITORY.test(folded) || (folder === workspace && GUARDED.test(folded));
      const root = repository ?? (starts ? path : undefined);
      if (root !== undefined || acts(path, stat, workspace))
        parts.add(
          `${relative(root === undefined ? workspace : dirname(root), path)} ${contentOf(path, stat)}`,
        );
      if (stat.isDirectory()) visit(path, root);
    }
  };
  visit(workspace, undefined);
  return parts;
}

function isBare(names: readonly string[]): boolean {
  const has = (name: string): boolean => names.includes(name);
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')));
}

function acts(path: string, stat: Stats, workspace: string): boolean {
  if (stat.isFile()) return (stat.mode & SPECIAL_BITS) !== 0;
  if (!stat.isSymbolicLink()) return !stat.isDirectory();
  const [target = resolve(dirname(path), readlinkSync(path))] = existing([path]);
  return target !== workspace && !isBelow(workspace, target);
}

function contentOf(path: string, stat: Stats): string {
  if (stat.isFile()) return `${(stat.mode & SPECIAL_BITS).toString(8)} ${readFileSync(path, 'latin1')}`;
  if (stat.isSymbolicLink()) return `leads to ${readlinkSync(path)}`;
  return stat.isDirectory() ? 'folder' : 'special';
}

/** Every path below a folder, with what changes when someone writes there. */
export function traceOf(folder: string): string {
  return readdirSync(folder)
    .map((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      const line = [path, stat.ino, stat.mode, stat.size, stat.ctimeMs].join(' ');
      return stat.isDirectory() ? `${line}\n${traceOf(path)}` : line;
    })
    .join('\n');
}
