// Owns: which files a goal means, and finding them in a survey. Pure.

export type FileOrder = 'largest' | 'smallest' | 'newest' | 'oldest' | 'longest' | 'name';

export interface NameCondition {
  readonly how: 'is' | 'starts' | 'ends' | 'contains' | 'fits';
  readonly text: string;
  readonly not?: boolean | undefined;
}

/** A selection of files as a goal says it. */
export interface FileSelection {
  readonly what: 'files' | 'folders' | 'everything';
  /** The words for the kinds, such as "photos"; none for all files. */
  readonly kinds: readonly string[];
  readonly extensions: readonly string[];
  readonly names: readonly NameCondition[];
  readonly above?: number | undefined;
  readonly below?: number | undefined;
  readonly isEmpty?: boolean | undefined;
  /** A period in words, such as "since monday". */
  readonly modified?: string | undefined;
  readonly order?: FileOrder | undefined;
  readonly most?: number | undefined;
  /** The folders or files to look in; none for the workspace. */
  readonly places: readonly string[];
  readonly except: readonly string[];
  /** Without subfolders. */
  readonly isShallow?: boolean | undefined;
  /** Only one thing is meant, as in "the oldest file". */
  readonly isOne?: boolean | undefined;
  /** The goal only asks for an order, as in "by size". */
  readonly isSorted?: boolean | undefined;
  /** The goal says no number, as in "large files". */
  readonly isVague?: boolean | undefined;
  /** The goal has a word for what it selects, such as "files". */
  readonly hasNoun?: boolean | undefined;
  /** Why the goal cannot be carried out. */
  readonly problem?: string | undefined;
}

/** A file or folder of a survey. */
export interface SurveyedFile {
  readonly path: string;
  readonly kind: string;
  readonly bytes: number;
  readonly modified?: string | undefined;
  readonly digest?: string | undefined;
  readonly lines?: number | undefined;
  readonly blank?: number | undefined;
}

export interface Period {
  readonly from?: number;
  readonly until?: number;
}

/** Whether the selection says anything but "files" and where they are. */
export function isSpecific(selection: FileSelection): boolean {
  const { extensions, names, above, below, isEmpty, modified } = selection;
  return (
    extensions.length > 0 ||
    names.length > 0 ||
    [above, below, isEmpty, modified].some((one) => one !== undefined)
  );
}

/** Whether an entry is one that a selection means; whether a folder is empty is for the caller to say. */
export function isSelected(
  entry: SurveyedFile,
  selection: FileSelection,
  period: Period | undefined,
  isEmptyFolder: boolean,
): boolean {
  const { what, places, except, isShallow, isEmpty } = selection;
  const { path, kind } = entry;
  const isFolder = kind === 'directory';
  if (
    what === 'everything' ? !isFolder && kind !== 'file' : kind !== (what === 'files' ? 'file' : 'directory')
  )
    return false;
  if (except.some((place) => isAt(path, place))) return false;
  if (isShallow && !(places.length === 0 ? ['.'] : places).some((place) => parentOf(path) === place))
    return false;
  if (isEmpty && (isFolder ? !isEmptyFolder : entry.bytes > 0)) return false;
  return fits(entry, selection, period);
}

/** The files or folders that a selection means, in its order. */
export function selectFiles(
  entries: readonly SurveyedFile[],
  selection: FileSelection,
  period: Period | undefined,
): SurveyedFile[] {
  const parents = new Set(entries.map(({ path }) => parentOf(path)));
  const found = entries.filter((entry) => isSelected(entry, selection, period, !parents.has(entry.path)));
  return firstInOrder(found, selection);
}

/** The files in the order of a selection, and no more than it asks for. */
export function firstInOrder(
  files: readonly SurveyedFile[],
  { order, most }: Pick<FileSelection, 'order' | 'most'>,
): SurveyedFile[] {
  const sorted = inOrder(files, order);
  return most === undefined ? sorted : sorted.slice(0, most);
}

function fits(
  { path, kind, bytes, modified }: SurveyedFile,
  { extensions, names, above, below, modified: phrase }: FileSelection,
  period: Period | undefined,
): boolean {
  if (extensions.length > 0 && (kind === 'directory' || !extensions.includes(extensionIn(path))))
    return false;
  if (!names.every((condition) => fitsName(path, condition) !== (condition.not === true))) return false;
  if ((above !== undefined && bytes <= above) || (below !== undefined && bytes >= below)) return false;
  if (phrase === undefined) return true;
  const at = modified === undefined ? undefined : Date.parse(modified);
  if (at === undefined || period === undefined) return false;
  return (
    (period.from === undefined || at >= period.from) && (period.until === undefined || at < period.until)
  );
}

function fitsName(path: string, { how, text }: NameCondition): boolean {
  const name = nameIn(path).toLowerCase();
  const wanted = text.toLowerCase();
  switch (how) {
    case 'is':
      return name === wanted || name.replace(/\.[^.]+$/, '') === wanted;
    case 'starts':
      return name.startsWith(wanted);
    case 'ends':
      return name.endsWith(wanted) || name.replace(/\.[^.]+$/, '').endsWith(wanted);
    case 'contains':
      return name.includes(wanted);
    case 'fits':
      return globRegex(wanted).test(wanted.includes('/') ? path.toLowerCase() : name);
  }
}

/** A pattern with stars: `*` stands for anything within a name, `**` for folders too. */
function globRegex(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?/g, '\u0000')
    .replace(/\*/g, '[^/]*')
    .replace(/\?/g, '[^/]')
    .replaceAll('\u0000', '(?:.*/)?');
  return new RegExp(`^${source}$`, 'u');
}

function inOrder(files: readonly SurveyedFile[], order: FileOrder | undefined): SurveyedFile[] {
  const byPath = (a: SurveyedFile, b: SurveyedFile): number => (a.path < b.path ? -1 : 1);
  const at = ({ modified }: SurveyedFile): number => (modified === undefined ? 0 : Date.parse(modified));
  switch (order) {
    case 'largest':
      return files.toSorted((a, b) => b.bytes - a.bytes || byPath(a, b));
    case 'smallest':
      return files.toSorted((a, b) => a.bytes - b.bytes || byPath(a, b));
    case 'newest':
      return files.toSorted((a, b) => at(b) - at(a) || byPath(a, b));
    case 'oldest':
      return files.toSorted((a, b) => at(a) - at(b) || byPath(a, b));
    case 'longest':
      return files.toSorted((a, b) => (b.lines ?? 0) - (a.lines ?? 0) || byPath(a, b));
    default:
      return [...files];
  }
}

/** Whether a path is a place or below it. A place without a slash is a folder of that name anywhere. */
function isAt(path: string, place: string): boolean {
  if (path === place || path.startsWith(`${place}/`)) return true;
  return !place.includes('/') && path.split('/').some((name) => name.toLowerCase() === place.toLowerCase());
}

export function parentOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '.' : path.slice(0, at);
}

/** The extension of a path in lower case, without its dot; empty without one. */
export function extensionIn(path: string): string {
  return /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
