// Owns: how people say which files they mean: "all images in docs larger than 5 MB except the ones from this month".
// I1 What stands in an exception is read as a whole inside it.
import { extensionsOf, isKindNoun, isPluralExtension, kindOf } from '../kinds.ts';
import { allOf, anyOf, type FileCondition, type Order, type Selection } from '../meaning.ts';
import { inOrder, listOf, map, maybe, oneOf, oneWord, type Rule, rule, said, several } from '../parser.ts';
import { period, sinceThen } from './periods.ts';
import { count, file, placeAfter, size, text, tidy } from './values.ts';

/** A condition, an order, a place: what a word or phrase says about the files that are meant. */
type Part =
  | { readonly where: FileCondition }
  | { readonly places: readonly string[] }
  | { readonly order: Order; readonly limit?: number }
  | { readonly limit: number }
  | { readonly shallow: true };

const where = (condition: FileCondition | undefined): Part | undefined => condition && { where: condition };

/** "image", "python", "csv": a kind by its name in the vocabulary, or an extension. */
const kind: Rule<FileCondition> = oneWord(({ text: word, kind: value }) => {
  if (value === undefined) return conditionOfKind(word);
  if (value === 'path' && /^\.[a-z\d]+$/i.test(word)) return { extension: word.slice(1).toLowerCase() };
  if (value === 'glob') return /^\*\.[a-z\d]+$/i.test(word) ? { extension: word.slice(2).toLowerCase() } : { name: 'fits', text: word };
  return undefined;
});

function conditionOfKind(word: string): FileCondition | undefined {
  const name = kindOf(word);
  if (name !== undefined) return { kind: name };
  const [extension] = extensionsOf(word) ?? [];
  return extension === undefined ? undefined : { extension };
}

/** A kind that people name without "files", such as "photos" or "pdfs". */
const kindNoun: Rule<FileCondition> = oneWord(({ text: word, kind: value }, words, at) => {
  if (value === 'glob') return /^\*\.[a-z\d]+$/i.test(word) ? { extension: word.slice(2).toLowerCase() } : { name: 'fits', text: word };
  if (value !== undefined) return undefined;
  // "in photos" means the folder if there is one.
  if (words.world?.hasFolder(word) && PREPOSITIONS.has(words.list[at - 1]?.text ?? '')) return undefined;
  const isEach = EACH.has(words.list[at - 1]?.text ?? '') && extensionsOf(word)?.[0] === word;
  return isKindNoun(word) || isPluralExtension(word) || isEach ? conditionOfKind(word) : undefined;
});
const PREPOSITIONS: ReadonlySet<string> = new Set(['in', 'inside', 'within', 'from', 'of']);

export const kindAlone = kind;
const EACH: ReadonlySet<string> = new Set(['every', 'each', 'all', 'any']);
const kinds: Rule<FileCondition> = map(listOf(kind), anyOf);
const kindNouns: Rule<FileCondition> = map(listOf(kindNoun), anyOf);

const SCREENSHOTS: FileCondition = { all: [{ kind: 'photo' }, { name: 'contains', text: 'screenshot' }] };

const ORDERS: Readonly<Record<string, Order>> = {
  largest: { by: 'size', descending: true },
  biggest: { by: 'size', descending: true },
  heaviest: { by: 'size', descending: true },
  smallest: { by: 'size' },
  newest: { by: 'changed', descending: true },
  latest: { by: 'changed', descending: true },
  'most recent': { by: 'changed', descending: true },
  'most recently changed': { by: 'changed', descending: true },
  'most recently modified': { by: 'changed', descending: true },
  oldest: { by: 'changed' },
  longest: { by: 'lines', descending: true },
  shortest: { by: 'lines' },
};
const superlative = map(said(Object.keys(ORDERS).join('|')), (word) => ORDERS[word]);

/** What stands before the noun. */
const before: Rule<Part> = rule(() =>
  oneOf<Part>(
    map(inOrder(maybe(said('top|first')), maybe(count), superlative, maybe(count)), ([, n, order, m]) => {
      const limit = n ?? m;
      return { order, ...(limit === undefined ? {} : { limit }) };
    }),
    map(said('empty|zero-byte'), () => ({ where: { empty: true } as const })),
    map(said('duplicate|duplicated|identical'), () => ({ where: { duplicate: true } as const })),
    map(inOrder(said("non|non-|not"), kind), ([, one]) => where({ not: one })),
    map(kinds, (one) => where(one)),
    map(period, (changed) => where({ changed })),
  ),
);

const noun: Rule<{ readonly what: Selection['what']; readonly where?: FileCondition }> = rule(() =>
  oneOf(
    map(said('files|file|ones|one|those'), () => ({ what: 'files' as const })),
    map(said('folders|directories|subfolders|subdirectories'), () => ({ what: 'folders' as const })),
    map(said('screenshots|screenshot|screen shots'), () => ({ what: 'files' as const, where: SCREENSHOTS })),
    map(said('everything|anything|things|items|files and folders|folders and files'), () => ({ what: 'entries' as const })),
    map(inOrder(kindNouns, maybe(said('files|file'))), ([condition]) => ({ what: 'files' as const, where: condition })),
  ),
);

const changedWord = said(
  'changed|modified|edited|updated|touched|written|saved|last changed|last modified|last edited|last updated|i changed|touch|change|edit|modify|update|worked on|work on|i have changed|been changed|been modified|been edited|been updated|been touched',
);
const notChanged = said(
  "unchanged|untouched|unmodified|not changed|not modified|not edited|not updated|not touched|not been changed|not been modified|not been edited|not been updated|not been touched|haven't been changed|haven't been modified|haven't been touched|haven't been edited|haven't changed|haven't touched|hasn't been touched|hasn't been changed|hasn't changed",
);
const which = maybe(said('that|which|who|that are|which are|that were|which were|that is|which is|that have|which have|that has|which has|are|is|were|was|have|has'));

const larger: Rule<FileCondition> = oneOf(
  map(inOrder(said('larger than|bigger than|greater than|heavier than|more than|over|above|exceeding|larger in size than'), size), ([, n]) => ({ larger: n })),
  map(inOrder(said('at least|no smaller than|not smaller than'), size), ([, n]) => ({ larger: n - 1 })),
  map(inOrder(size, said('or more|or larger|or bigger|and more|and larger|and up')), ([n]) => ({ larger: n - 1 })),
);
const smaller: Rule<FileCondition> = oneOf(
  map(inOrder(said('smaller than|less than|lighter than|under|below|beneath'), size), ([, n]) => ({ smaller: n })),
  map(inOrder(said('at most|up to|no larger than|not larger than|no bigger than|no more than'), size), ([, n]) => ({ smaller: n + 1 })),
  map(inOrder(size, said('or less|or smaller|and less|and smaller')), ([n]) => ({ smaller: n + 1 })),
);

const nameText = oneOf(
  text,
  oneWord(({ kind: value, text: word }) => (value === 'path' || value === 'glob' || value === 'number' || value === 'date' ? word : undefined)),
);
const named: Rule<FileCondition> = oneOf<FileCondition>(
  map(inOrder(said('called|named|with the name|by the name of|titled'), nameText), ([, value]) =>
    /[*?]/.test(value) ? { name: 'fits', text: value } : { name: 'is', text: value },
  ),
  map(inOrder(maybe(said('whose|with a|with')), maybe(said('name|names|file name|filename')), said('starting with|starts with|start with|beginning with|begins with|begin with'), nameText), ([, , , value]) => ({ name: 'starts', text: value })),
  map(inOrder(maybe(said('whose|with a|with')), maybe(said('name|names|file name|filename')), said('ending in|ending with|ends in|ends with|end in|end with'), nameText), ([, , , value]) => ({ name: 'ends', text: value })),
  map(inOrder(said('with|having|containing|contain|contains|that have|have'), nameText, said('in name|in their name|in its name|in names|in filename|in file name|in the name|in their names')), ([, value]) => ({ name: 'contains', text: value })),
  map(inOrder(said('whose name contains|with name containing|whose names contain|whose name has|whose name includes'), nameText), ([, value]) => ({ name: 'contains', text: value })),
  map(inOrder(said('matching|that match|which match|like'), oneWord(({ kind: value, text: word }) => (value === 'glob' || value === 'quoted' ? word : undefined))), ([, value]) => ({ name: 'fits', text: value })),
);

/** A condition that stands after the noun, in a phrase of its own. */
const after: Rule<FileCondition> = rule(() =>
  oneOf<FileCondition>(
    map(inOrder(which, larger), ([, one]) => one),
    map(inOrder(which, smaller), ([, one]) => one),
    map(inOrder(which, maybe(said('between')), size, said('and'), size), ([, , low, , high]) => allOf([{ larger: low - 1 }, { smaller: high + 1 }])),
    map(inOrder(said('without|with no|that have no'), said('extension|file extension|extensions')), () => ({ not: { name: 'contains' as const, text: '.' } })),
    map(inOrder(which, said('not'), IN, listOf(placeAfter)), ([, , , places]) => ({ not: anyOf(places.map((path) => ({ in: path }))) as FileCondition })),
    map(inOrder(which, said('empty|zero bytes')), () => ({ empty: true as const })),
    map(inOrder(which, changedWord, period), ([, , changed]) => ({ changed })),
    map(inOrder(which, notChanged, sinceThen), ([, , changed]) => ({ changed })),
    map(inOrder(which, period), ([, changed]) => ({ changed })),
    map(inOrder(which, named), ([, one]) => one),
    map(inOrder(said('containing|that contain|which contain|that mention|mentioning|with the text|with the word|with'), text), ([, value]) => ({ contains: value })),
    map(inOrder(said('of type|with extension|with the extension|with file extension|of kind'), kind), ([, one]) => one),
    map(inOrder(which, said('not|n\'t|aren\'t|isn\'t|are not|is not|weren\'t'), kinds, maybe(said('files|ones'))), ([, , one]) => ({ not: one })),
    map(inOrder(said('that are|which are|that is'), kinds, maybe(said('files'))), ([, one]) => one),
    map(inOrder(which, said('not'), after), ([, , one]) => ('changed' in one ? undefined : { not: one })),
    map(inOrder(which, said('duplicates|duplicated|identical')), () => ({ duplicate: true as const })),
    map(exception, (one) => ({ not: one })),
  ),
);

const EXCEPT = said(
  ', but not|but not|, except|except|except for|, except for|excluding|, excluding|other than|, other than|apart from|, apart from|not counting|, not counting|not including|, not including|leaving out|but leave out|without|, without|unless they are|, unless they are|but|all but|, but keep|but keep|and keep|, and keep|, keep|besides|aside from|save for',
);

/** What an exception leaves out: files by a phrase of their own, places, names. */
const exception: Rule<FileCondition> = rule(() =>
  map(inOrder(EXCEPT, listOf(leftOut, ',|and|or|, and|nor')), ([, list]) => anyOf(list)),
);

const leftOut: Rule<FileCondition> = rule(() =>
  oneOf<FileCondition>(
    map(inOrder(several(before), noun, several(afterOrPlace)), ([first, { where: kindCondition }, rest]) =>
      conditionOf([...first.flatMap(wheresOf), ...(kindCondition ? [kindCondition] : []), ...rest]),
    ),
    map(several(afterOrPlace, 1), (list) => allOf(list)),
    map(kinds, (one) => one),
    map(inOrder(maybe(said('folder|directory|file')), placeName), ([, path]) => ({ in: path })),
  ),
);

const afterOrPlace: Rule<FileCondition> = rule(() => oneOf(after, map(inOrder(which, IN, placeAfter), ([, , path]) => ({ in: path }))));

const IN = said('in|inside|within|under|below|from|of|at|inside of|located in|stored in|lying in|that lie in');
const placeName = oneWord(({ kind: value, text: word }) => (value === 'path' || value === 'quoted' ? tidy(word) : undefined));

function wheresOf(part: Part): readonly FileCondition[] {
  return 'where' in part ? [part.where] : [];
}

/** Undefined for "the ones" alone, which excludes everything or nothing. */
function conditionOf(list: readonly FileCondition[]): FileCondition | undefined {
  return list.length === 0 ? undefined : allOf(list);
}

/** What stands after the noun. */
const behind: Rule<Part> = rule(() =>
  oneOf<Part>(
    map(inOrder(which, IN, listOf(placeAfter)), ([, , places]) => ({ places })),
    map(inOrder(maybe(said('and|, and|,|or')), after), ([, condition]) => where(condition)),
    map(said('directly|only at the top|not in subfolders|without subfolders|not recursively|at the top level'), () => ({ shallow: true as const })),
    map(inOrder(said('by|sorted by|ordered by|sort by|order by|, sorted by|, by'), said('size|date|age|name|time|lines')), ([, by]) => ({ order: ORDER_BY[by] ?? { by: 'name' } })),
  ),
);
const ORDER_BY: Readonly<Record<string, Order>> = {
  size: { by: 'size', descending: true },
  date: { by: 'changed', descending: true },
  time: { by: 'changed', descending: true },
  age: { by: 'changed' },
  name: { by: 'name' },
  lines: { by: 'lines', descending: true },
};

const ONE_FOLDER = said('folder|directory|subfolder');

/** Which files are meant. A file by its path is one too. */
export const selection: Rule<Selection> = rule(() =>
  oneOf<Selection>(
    map(inOrder(several(before), noun, several(behind)), ([first, { what, where: kindCondition }, rest]) =>
      selectionOf(what, [...first, ...(kindCondition ? [{ where: kindCondition }] : []), ...rest]),
    ),
    map(inOrder(several(before, 1), ONE_FOLDER, several(behind)), ([first, , rest]) => selectionOf('folders', [...first, ...rest])),
    map(inOrder(ONE_FOLDER, named, several(behind)), ([, name, rest]) => selectionOf('folders', [{ where: name }, ...rest])),
    map(listOf(file), (places) => ({ what: 'files' as const, places: [...places].sort() })),
  ),
);

function selectionOf(what: Selection['what'], parts: readonly Part[]): Selection | undefined {
  const orders = parts.filter((part) => 'order' in part);
  if (orders.length > 1) return undefined;
  const [order] = orders;
  const places = [...new Set(parts.flatMap((part) => ('places' in part ? part.places : [])))].filter((path) => path !== '.').sort();
  const condition = allOf(parts.flatMap(wheresOf));
  return {
    what,
    ...(places.length === 0 ? {} : { places }),
    ...(parts.some((part) => 'shallow' in part) ? { shallow: true as const } : {}),
    ...(condition === undefined ? {} : { where: condition }),
    ...(order === undefined ? {} : { order: order.order, ...(order.limit === undefined ? {} : { limit: order.limit }) }),
  };
}
