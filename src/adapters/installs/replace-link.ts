import { lstatSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Points `link` to `target` atomically, replacing what exists; returns true if that changed anything. */
export function replaceLink(link: string, target: string, staging: string): boolean {
  const existing = lstatSync(link, { throwIfNoEntry: false });
  if (existing?.isSymbolicLink() && readlinkSync(link) === target) return false;
  // A folder cannot be replaced by a link atomically; it is moved away first.
  if (existing?.isDirectory()) renameSync(link, join(staging, 'replaced'));
  const fresh = join(staging, 'link');
  rmSync(fresh, { force: true });
  symlinkSync(target, fresh);
  renameSync(fresh, link);
  return true;
}
