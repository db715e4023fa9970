// Owns: how people write numbers, sizes, names, places and texts.
import { inOrder, map, maybe, oneOf, oneWord, type Rule, rule, said } from '../parser.ts';
import { isGrammarWord, isKnownWord } from '../vocabulary.ts';

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const SIZE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  ki: 1_024,
  mi: 1_024 ** 2,
  gi: 1_024 ** 3,
  ti: 1_024 ** 4,
};

/** A whole number; "a" and "an" are one. */
export const count: Rule<number> = oneWord(({ kind, text }) => {
  if (kind === 'number') return Number.isInteger(Number(text)) ? Number(text) : undefined;
  if (kind !== undefined) return undefined;
  if (text === 'a' || text === 'an') return 1;
  if (text === 'dozen') return 12;
  const at = NUMBERS.indexOf(text);
  return at < 0 ? undefined : at;
});

export const number: Rule<number> = oneOf(
  oneWord(({ kind, text }) => (kind === 'number' ? Number(text) : undefined)),
  count,
);

/** A number of bytes: "5 MB", "10k", "100 bytes". */
export const size: Rule<number> = rule(() =>
  oneOf(
    oneWord(({ kind, text }) => (kind === 'size' ? bytesOf(text) : undefined)),
    map(inOrder(number, sizeUnit), ([n, unit]) => Math.floor(n * unit)),
  ),
);

const sizeUnit = oneWord(({ text, isValue }) => (isValue ? undefined : unitOf(text)));

function bytesOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/i.exec(text) ?? [];
  const factor = unitOf(unit.toLowerCase());
  return digits === undefined || factor === undefined ? undefined : Math.floor(Number(digits) * factor);
}

function unitOf(unit: string): number | undefined {
  const short = unit
    .replace(/^(kilo|mega|giga|tera)bytes?$/, (word) => word.charAt(0))
    .replace(/^(meg|gig)s?$/, (word) => word.charAt(0))
    .replace(/^bytes?$/, 'b')
    .replace(/^([kmgt]i?)b$/, '$1');
  return SIZE_UNITS[short];
}

/** A text that is looked for or written: quoted, or one word that nothing else explains. */
export const text: Rule<string> = oneOf(
  oneWord(({ kind, text: value }) => (kind === 'quoted' ? value : undefined)),
  oneWord(({ kind, said: value, text: word, isFiller }) =>
    kind === undefined && !isFiller && !isKnownWord(word) && /[\p{L}\p{N}]/u.test(value) ? value : undefined,
  ),
);

/** Any one word or value, as written. */
export const anyText: Rule<string> = oneWord(({ kind, text: value, said: written, isFiller }) =>
  kind === undefined ? (isFiller || value === ',' ? undefined : written) : value,
);

/** A file by its path, or by a quoted name. */
export const file: Rule<string> = rule(() =>
  map(inOrder(maybe(said('file|files|document|called|named|file called|file named')), filePath), ([, path]) => path),
);

const filePath = oneWord(({ kind, text: value }) => {
  if (kind === 'path' && looksLikeFile(value)) return tidy(value);
  return kind === 'quoted' && value !== '' ? tidy(value) : undefined;
});

/** A folder or file to look in: "docs", "the folder docs", "docs/", "this folder". */
export const place: Rule<string> = rule(() =>
  oneOf(
    map(
      inOrder(maybe(said('folder|directory|folder called|folder named|directory called')), folderName, maybe(said('folder|directory|folders'))),
      ([, name]) => name,
    ),
    map(said('folder|directory|current folder|current directory|project|workspace|repository|repo|codebase|tree|root'), () => '.'),
  ),
);

/** A place after "in": there a word for a kind of files can only be the name of a folder. */
export const placeAfter: Rule<string> = rule(() =>
  oneOf(
    place,
    oneWord(({ kind, text: value, said: written, isFiller }) =>
      kind === undefined && !isFiller && !isGrammarWord(value) && isKnownWord(value) ? written : undefined,
    ),
  ),
);

/** A folder that exists, or that is written as one. */
export const folder: Rule<string> = oneWord(({ kind, text: value }, words) => {
  if (kind === 'path') return looksLikeFile(value) ? undefined : tidy(value);
  return kind === undefined && words.world?.hasFolder(value) ? value : undefined;
});

const folderName = oneWord(({ kind, text: value, said: written, isFiller }, words) => {
  if (kind === 'path' || kind === 'quoted') return value === '' ? undefined : tidy(value);
  if (kind !== undefined || isFiller) return undefined;
  if (isGrammarWord(value) && !words.world?.hasFolder(value)) return undefined;
  // A word for a kind of files is a folder only if there is one.
  if (words.world !== undefined && isKnownWord(value) && !words.world.hasFolder(value)) return undefined;
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(written) ? written : undefined;
});

export function looksLikeFile(path: string): boolean {
  return /(?:[\p{L}\p{N}_-]|^)\.[\p{L}][\p{L}\p{N}]*$/u.test(path.slice(path.lastIndexOf('/') + 1));
}

/** A path in its normal form: no `./` in front, no `/` at the end. */
export function tidy(path: string): string {
  const plain = path
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(.)\/$/, '$1');
  return plain === '' ? '.' : plain;
}
