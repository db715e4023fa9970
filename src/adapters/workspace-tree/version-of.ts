import { fileNodeId, linkNodeId, pathBytes, pathText } from '../../context/index.ts';
import { contentHasher } from './content-hasher.ts';
import { fileReader } from './file-reader.ts';
import { bytesOfText, lookAt, targetOf } from './system-paths.ts';

const LARGEST_READ = 8 * 1_048_576;

/** The version of what is gone: no node has it. */
const GONE = 'gone';

/**
 * The id that a file or link of the workspace has now, whatever was scanned. Undefined for a folder, and for what is too
 * large to be read on the way or cannot be read: then the last scan has to do.
 */
export function versionOf(workspace: string, path: string): string | undefined {
  const place = `${bytesOfText(workspace)}/${pathBytes(path)}`;
  try {
    const found = lookAt(place);
    if (found === undefined) return GONE;
    if (found.isSymbolicLink()) return linkNodeId(path, pathText(targetOf(place)));
    if (!found.isFile() || found.size > LARGEST_READ) return undefined;
    const read = fileReader(contentHasher())({
      paths: `${place}\0`,
      stamps: Float64Array.of(Number.NaN, 0, 0, 0),
      settledBefore: 0,
    });
    const hash = read.hashes.trimEnd();
    return hash === '' ? undefined : fileNodeId(path, hash, read.kinds === 'x');
  } catch {
    return undefined;
  }
}
