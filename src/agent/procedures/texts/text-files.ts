import type { Decision, Evidence, PlanInput } from '../../../engine/index.ts';
import { asObject } from '../../../kernel/index.ts';
import { call, callFor, failWith } from '../../findings.ts';
import { firstUnread, listFolder, listingOf, names, readsByPath } from '../folder-listing.ts';
import { code, count, sizeText } from '../markdown-text.ts';

/** The files that a goal is about: named ones, or those below a folder, also of some types only. */
export interface TextPlace {
  readonly files?: readonly string[];
  readonly folder?: string;
  /** Endings in lower case, without the dot. */
  readonly types?: readonly string[];
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

const MAX_FILE_BYTES = 4 * 1_024 * 1_024;
const MAX_FILES = 200;
const NOT_TEXT =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|heic|pdf|zip|gz|tgz|bz2|xz|7z|rar|tar|mp[34]|m4a|wav|ogg|mov|avi|mkv|woff2?|ttf|otf|eot|exe|dll|so|dylib|bin|o|a|class|jar|wasm|docx?|xlsx?|pptx?|odt|ods|sqlite|db)$/i;
const TYPES: Readonly<Record<string, readonly string[]>> = {
  markdown: ['md', 'markdown'],
  text: ['txt'],
  plain: ['txt'],
  csv: ['csv'],
  json: ['json'],
  yaml: ['yaml', 'yml'],
  log: ['log'],
  html: ['html', 'htm'],
  css: ['css'],
  typescript: ['ts', 'tsx'],
  javascript: ['js', 'jsx', 'mjs', 'cjs'],
  python: ['py'],
};
const IN = '(?:in|from|of|under|across|within|inside|throughout|on|for|through)';
const THE = '(?:(?:all|every|each|the|my|our|any|of) )*';
const FOLDER = '(?:folder|directory)';
const PLACE = `${THE}(?:(?:${FOLDER}|file|files) )?(?:(?<marks>@[pq]\\d+(?:(?:, and|,| and) ${THE}@[pq]\\d+)*)|(?<here>this ${FOLDER}|here|everything|everywhere|files)|(?<type>\\.?[a-z]+|\\*\\.[a-z0-9]+) (?:files?|documents?)|(?<star>\\*\\.[a-z0-9]+)|(?<name>[\\w-]+))(?: (?:${FOLDER}|files?))?`;
const BELOW = `(?: ${IN} ${THE}(?:${FOLDER} )?(?:(?<below>@[pq]\\d+)|(?<belowhere>this ${FOLDER}|here)|(?<belowname>[\\w-]+))(?: ${FOLDER})?)?`;
const LINK = new RegExp(`,? (?:${IN}) `, 'gi');
const ALONE = new RegExp(`^${PLACE}${BELOW}$`, 'i');

/**
 * Splits a line with marks into what is said and the place at its end, as in "… in all markdown files in docs".
 * Undefined without a place.
 */
export function takePlace(
  line: string,
  plain: (piece: string) => string,
): { readonly head: string; readonly place: TextPlace } | undefined {
  for (const { index, 0: link } of line.matchAll(LINK)) {
    const place = readPlace(line.slice(index + link.length), plain);
    if (place !== undefined) return { head: line.slice(0, index).trim(), place };
  }
  return undefined;
}

/** The place that a piece of a line names. */
export function readPlace(piece: string, plain: (piece: string) => string): TextPlace | undefined {
  const groups = ALONE.exec(piece)?.groups;
  return groups && placeOf(groups, plain);
}

function placeOf(
  groups: Readonly<Record<string, string | undefined>>,
  plain: (piece: string) => string,
): TextPlace | undefined {
  const { marks, here, type, star, name, below, belowname } = groups;
  const folder = below === undefined ? belowname : tidy(plain(below));
  if (marks !== undefined) {
    const paths = [...marks.matchAll(/@[pq]\d+/g)].map(([mark]) => tidy(plain(mark)));
    const [first = ''] = paths;
    const types = paths.flatMap((path) => typesOf(path) ?? []);
    if (types.length > 0 && types.length >= paths.length) return { folder: folder ?? '.', types };
    if (folder !== undefined) return undefined;
    if (paths.every((path) => /[^/.]\.[a-z0-9]{1,8}$/i.test(path))) return { files: paths };
    return paths.length === 1 ? { folder: first } : undefined;
  }
  const asked = type ?? star;
  if (asked !== undefined) {
    const types = typesOf(asked);
    return types && { folder: folder ?? '.', types };
  }
  if (here !== undefined) return { folder: folder ?? '.' };
  return name === undefined || folder !== undefined ? undefined : { folder: name };
}

function typesOf(text: string): readonly string[] | undefined {
  const ending = /^\*?\.([a-z0-9]+)$/i.exec(text)?.[1];
  if (ending !== undefined) return [ending.toLowerCase()];
  const word = text.toLowerCase();
  if (Object.hasOwn(TYPES, word)) return TYPES[word];
  return Object.values(TYPES).flat().includes(word) ? [word] : undefined;
}

function tidy(path: string): string {
  return path.replace(/^\.\/(?=.)/, '').replace(/(.)\/$/, '$1');
}

export function placeText({ files, folder, types }: TextPlace): string {
  if (files !== undefined) return files.map(code).join(', ');
  const where = folder === '.' ? 'this folder' : code(folder ?? '.');
  if (types?.[0] === 'md') return `the Markdown files of ${where}`;
  return types === undefined
    ? where
    : `the ${types.map((type) => `.${type}`).join(' and ')} files of ${where}`;
}

/** The step that reads the next file of a place; undefined when all are read. A named file that cannot be read fails the run. */
export function lookAtFiles(input: PlanInput, place: TextPlace): Decision | undefined {
  if (place.folder !== undefined) {
    const listing = listFolder(input, place.folder, `the list of ${place.folder} tells which files to read`);
    if (listing) return listing;
  }
  const paths = pathsOf(input, place);
  const next = firstUnread(input, paths);
  if (next !== undefined)
    return call(
      'files.read',
      { path: next, max_bytes: MAX_FILE_BYTES },
      `${next} is one of the files that the goal is about`,
    );
  const failed = place.files?.map((file) => callFor(input, 'files.read', file)).find((made) => made?.failure);
  return failed && failWith(failed);
}

function pathsOf(input: PlanInput, place: TextPlace): readonly string[] {
  return place.files ?? candidates(input, place).slice(0, MAX_FILES);
}

function candidates(input: PlanInput, { folder = '.', types }: TextPlace): string[] {
  return listingOf(input, folder)
    .files.filter(({ path, bytes }) => bytes <= MAX_FILE_BYTES && fits(path, types))
    .map(({ path }) => path);
}

function fits(path: string, types: readonly string[] | undefined): boolean {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return types === undefined ? !NOT_TEXT.test(path) : types.includes(ending);
}

/** The texts of a place, and what was left out. */
export function textsIn(
  input: PlanInput,
  place: TextPlace,
): { readonly files: readonly TextFile[]; readonly leftOut: readonly string[]; readonly isWhole: boolean } {
  const reads = readsByPath(input);
  const all = pathsOf(input, place).map((path) => ({ path, read: reads.get(path) }));
  const files = all.flatMap(({ path, read }) => {
    const text = textOf(read);
    return text === undefined ? [] : [{ path, text }];
  });
  const closed = all.filter(({ read }) => textOf(read) === undefined).map(({ path }) => path);
  const cut = all.filter(({ read }) => asObject(read?.output)['truncated'] === true).map(({ path }) => path);
  const { leftOut, more } = place.folder === undefined ? { leftOut: [], more: 0 } : gaps(input, place);
  return {
    files,
    isWhole: more === 0 && cut.length === 0,
    leftOut: [
      ...leftOut,
      ...(closed.length > 0 ? [`not readable as text: ${names(closed)}`] : []),
      ...(cut.length > 0 ? [`what comes after the first ${sizeText(MAX_FILE_BYTES)} of ${names(cut)}`] : []),
    ],
  };
}

function gaps(input: PlanInput, place: TextPlace): { leftOut: string[]; more: number } {
  const listing = listingOf(input, place.folder ?? '.');
  const more = Math.max(0, candidates(input, place).length - MAX_FILES);
  const large = listing.files.filter(({ path, bytes }) => bytes > MAX_FILE_BYTES && fits(path, place.types));
  return {
    more,
    leftOut: [
      ...listing.leftOut,
      ...(more > 0 ? [`${count(more, 'file')} after the first ${MAX_FILES}; name a smaller folder`] : []),
      ...(large.length > 0
        ? [`larger than ${sizeText(MAX_FILE_BYTES)}: ${names(large.map(({ path }) => path))}`]
        : []),
    ],
  };
}

function textOf(read: Evidence | undefined): string | undefined {
  const { content } = asObject(read?.output);
  return typeof content === 'string' ? content : undefined;
}

/** The lines of a text; a line break at the end begins no new line. */
export function linesOf(text: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
