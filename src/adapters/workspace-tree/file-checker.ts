/** Folders whose files and links are held against what is known of them. All texts are byte strings with a NUL behind each. */
export interface CheckRequest {
  /** Where each folder is reached. */
  readonly places: string;
  /** The names in it, with a slash between them. */
  readonly names: string;
  /** A letter for each name, as in `FolderRecord`; folders are not looked at. */
  readonly kinds: string;
  /** Four numbers for each name, folder by folder: size, modified at, changed at, inode. */
  readonly stamps: Float64Array;
}

/**
 * Makes the function that tells in which folders something is not as it is known. It runs in worker threads as the text that
 * it is, so it uses nothing but what Node has everywhere.
 */
export function fileChecker(): (request: CheckRequest) => readonly number[] {
  const fs = process.getBuiltinModule('node:fs');
  const plain = /^[^\u0080-\uffff]*$/;
  const [formatOf, file, link, ownerMayExecute] = [0o170_000, 0o100_000, 0o120_000, 0o100];

  const letterOf = (mode: number): string => {
    const format = mode & formatOf;
    if (format === file) return (mode & ownerMayExecute) === 0 ? 'f' : 'x';
    return format === link ? 'l' : '';
  };

  const isSame = (path: string, kind: string, stamps: Float64Array, at: number): boolean => {
    const found = fs.lstatSync(plain.test(path) ? path : Buffer.from(path, 'latin1'), {
      throwIfNoEntry: false,
    });
    return (
      found !== undefined &&
      found.size === stamps[at] &&
      found.mtimeMs === stamps[at + 1] &&
      found.ctimeMs === stamps[at + 2] &&
      found.ino === stamps[at + 3] &&
      letterOf(found.mode) === kind
    );
  };

  const isFolderSame = (
    place: string,
    names: readonly string[],
    kinds: string,
    stamps: Float64Array,
  ): boolean => {
    try {
      for (const [i, name] of names.entries())
        if (kinds[i] !== 'd' && !isSame(`${place}/${name}`, kinds[i] as string, stamps, i * 4)) return false;
      return true;
    } catch {
      return false;
    }
  };

  return ({ places, names, kinds, stamps }) => {
    const [allNames, allKinds] = [names.split('\0'), kinds.split('\0')];
    const changed: number[] = [];
    let at = 0;
    for (const [i, place] of places.slice(0, -1).split('\0').entries()) {
      const own = allKinds[i] as string;
      const end = at + own.length * 4;
      if (!isFolderSame(place, (allNames[i] as string).split('/'), own, stamps.subarray(at, end)))
        changed.push(i);
      at = end;
    }
    return changed;
  };
}
