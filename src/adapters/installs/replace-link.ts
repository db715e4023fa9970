import { lstatSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Makes `link` lead to `target`, in one step, whatever stood there before; true when that changed anything. */
export function replaceLink(link: string, target: string, staging: string): boolean {
  const standing = lstatSync(link, { throwIfNoEntry: false });
  if (standing?.isSymbolicLink() && readlinkSync(link) === target) return false;
  // A real folder cannot be replaced by a link in one step; it is moved out of the way first.
  if (standing?.isDirectory()) renameSync(link, join(staging, 'replaced'));
  const fresh = join(staging, 'link');
  rmSync(fresh, { force: true });
  symlinkSync(target, fresh);
  renameSync(fresh, link);
  return true;
}
