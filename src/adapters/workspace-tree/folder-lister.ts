/** Folders to list, as byte strings with a NUL behind each. */
export interface ListRequest {
  readonly places: string;
}

/** What is in each folder, by place. */
export interface ListAnswer {
  /** The names, ordered by their bytes, as byte strings with a NUL between them. */
  readonly names: readonly string[];
  /** A letter for each name: f for a file, d for a folder, ? for what has to be looked at. */
  readonly kinds: readonly string[];
  /** Size, modified at, changed at and inode of each folder, from before it was listed. */
  readonly stamps: Float64Array;
  /** The system's code where a folder could not be listed. */
  readonly troubles: ReadonlyMap<number, string>;
}

/**
 * Makes the function that lists folders. It runs in worker threads as the text that it is, so it uses nothing but what Node
 * has everywhere.
 */
export function folderLister(): (request: ListRequest) => ListAnswer {
  const fs = process.getBuiltinModule('node:fs');
  const numbers = 4;

  const listOne = (place: string, stamps: Float64Array, at: number): [string, string] => {
    const isPlain = /^[^\u0080-\uffff]*$/.test(place);
    const path = isPlain ? place : Buffer.from(place, 'latin1');
    const found = fs.lstatSync(path);
    if (!found.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    stamps.set([found.size, found.mtimeMs, found.ctimeMs, found.ino], at);
    const entries = fs.readdirSync(path, { encoding: 'latin1', withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    let [names, kinds] = ['', ''];
    for (const entry of entries) {
      names += names === '' ? entry.name : `\0${entry.name}`;
      kinds += entry.isFile() ? 'f' : entry.isDirectory() ? 'd' : '?';
    }
    return [names, kinds];
  };

  return ({ places }) => {
    const folders = places.slice(0, -1).split('\0');
    const stamps = new Float64Array(folders.length * numbers);
    const [names, kinds]: [string[], string[]] = [[], []];
    const troubles = new Map<number, string>();
    for (const [i, place] of folders.entries()) {
      try {
        const [own, letters] = listOne(place, stamps, i * numbers);
        names.push(own);
        kinds.push(letters);
      } catch (error) {
        names.push('');
        kinds.push('');
        troubles.set(i, (error as NodeJS.ErrnoException).code ?? 'UNKNOWN');
      }
    }
    return { names, kinds, stamps, troubles };
  };
}
