import { sep } from 'node:path';

/** Whether a path is inside a folder; both absolute. */
export function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
