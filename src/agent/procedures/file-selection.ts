// Owns: which files a goal means, and finding them in a survey. Pure.
import { extensionIn, nameIn } from './file-kinds.ts';

export type FileOrder = 'largest' | 'smallest' | 'newest' | 'oldest' | 'name';

export interface NameCondition {
  readonly how: 'is' | 'starts' | 'ends' | 'contains' | 'fits';
  readonly text: string;
  readonly not?: boolean;
}

/** A selection of files as a goal says it. */
export interface FileSelection {
  readonly what: 'files' | 'folders' | 'everything';
  /** The words for the kinds, such as "photos"; none for all files. */
  readonly kinds: readonly string[];
  readonly extensions: readonly string[];
  readonly names: readonly NameCondition[];
  readonly above?: number;
  readonly below?: number;
  readonly isEmpty?: boolean;
  /** A period in words, such as "since monday". */
  readonly modified?: string;
  readonly order?: FileOrder;
  readonly most?: number;
  /** The folders or files to look in; none for the workspace. */
  readonly places: readonly string[];
  readonly except: readonly string[];
  /** Without subfolders. */
  readonly isShallow?: boolean;
  /** Only one thing is meant, as in "the oldest file". */
  readonly isOne?: boolean;
  /** The goal says no number, as in "large files". */
  readonly isVague?: boolean;
  /** The goal has a word for what it selects, such as "files". */
  readonly hasNoun?: boolean;
  /** Why the goal cannot be carried out. */
  readonly problem?: string;
}

/** A file or folder of a survey. */
export interface SurveyedFile {
  readonly path: string;
  readonly kind: string;
  readonly bytes: number;
  readonly modified?: string;
  readonly digest?: string;
  readonly lines?: number;
  readonly blank?: number;
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

/** The files or folders that a selection means, in its order. */
export function selectFiles(
  entries: readonly SurveyedFile[],
  selection: FileSelection,
  period: Period | undefined,
): SurveyedFile[] {
  const { what, places, except, isShallow, isEmpty } = selection;
  const parents = new Set(entries.map(({ path }) => parentOf(path)));
  const found = entries.filter((entry) => {
    const { path, kind } = entry;
    const isFolder = kind === 'directory';
    if (
      what === 'everything'
        ? !isFolder && kind !== 'file'
        : kind !== (what === 'files' ? 'file' : 'directory')
    )
      return false;
    if (except.some((place) => isAt(path, place))) return false;
    if (isShallow && !(places.length === 0 ? ['.'] : places).some((place) => parentOf(path) === place))
      return false;
    if (isEmpty && (isFolder ? parents.has(path) : entry.bytes > 0)) return false;
    return fits(entry, selection, period);
  });
  const sorted = inOrder(found, selection.order);
  return selection.most === undefined ? sorted : sorted.slice(0, selection.most);
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
