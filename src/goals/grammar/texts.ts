// Owns: goals about what is in files: texts that are looked for, counted, extracted, replaced; data that is read, checked, converted.
import type { Action, Query, Selection, TextPattern } from '../meaning.ts';
import { inOrder, listOf, map, maybe, oneOf, oneWord, type Rule, rule, said } from '../parser.ts';
import { period } from './periods.ts';
import { selection } from './selection.ts';
import { anyText, count, file, place, text } from './values.ts';

const KNOWN: Readonly<Record<string, Extract<TextPattern, { readonly known: string }>['known']>> = {
  todos: 'todo',
  todo: 'todo',
  'todo comments': 'todo',
  'open todos': 'todo',
  emails: 'email',
  'e-mails': 'email',
  'email addresses': 'email',
  'e-mail addresses': 'email',
  'mail addresses': 'email',
  links: 'url',
  urls: 'url',
  'web addresses': 'url',
  dates: 'date',
  'phone numbers': 'phone',
  numbers: 'number',
  headings: 'heading',
  'section headings': 'heading',
  'table of contents': 'heading',
  outline: 'heading',
  warnings: 'error',
  errors: 'error',
  'error messages': 'error',
  'errors and warnings': 'error',
  'broken links': 'broken_link',
  'dead links': 'broken_link',
};
const known: Rule<TextPattern> = map(said(Object.keys(KNOWN).join('|')), (word) => ({ known: KNOWN[word] ?? 'todo' }));
/** A text that is looked for: quoted, or a word that nothing else explains, such as FIXME or parseDate. */
const pattern: Rule<TextPattern> = rule(() =>
  oneOf<TextPattern>(
    known,
    map(inOrder(maybe(said('text|word|phrase|string')), certainText), ([, value]) => ({ text: value })),
    map(inOrder(said('text|word|phrase|string|occurrences of|mentions of|uses of|usages of'), text), ([, value]) => ({ text: value })),
  ),
);

/** A text that cannot be anything else: quoted, or written as code is. */
const certainText: Rule<string> = oneWord(({ kind, text: value, said: written }) => {
  if (kind === 'quoted') return value;
  return kind === undefined && CODE.test(written) ? written : undefined;
});
const CODE = /^(?:[A-Z][A-Z\d_]{2,}|[a-z]+[A-Z]\w*|\w+_\w+|\w+\(\))$/;

/** Where a text is looked for. */
const where: Rule<Selection> = rule(() =>
  map(
    maybe(map(inOrder(said('in|inside|within|from|of|across|through|throughout'), where_), ([, found]) => found)),
    (found) => found ?? { what: 'files' as const },
  ),
);
const where_: Rule<Selection> = oneOf<Selection>(
  selection,
  map(listOf(place), (places) => {
    const named = [...new Set(places)].filter((one) => one !== '.').sort();
    return { what: 'files' as const, ...(named.length === 0 ? {} : { places: named }) };
  }),
);
const BY = map(said('per file|by file|for each file|in each file|by hour|per hour|by day|per day'), (word) => (word.includes('file') ? ('file' as const) : word.includes('hour') ? ('hour' as const) : ('day' as const)));
const FIND = said(
  'find|search for|search|look for|list|show|show me|get|collect|extract|gather|print|display|grep|grep for|give me|what are|where is|where are|which|what|do i have|are there|locate|see|check|check for',
);
const USED = maybe(said('used|mentioned|defined|called|left|there|in use|are there|do i have'));

export const textQuery: Rule<Query> = rule(() =>
  oneOf<Query>(
    map(inOrder(FIND, pattern, USED, where, USED), ([, find, , of]) => ({ find, in: of, answer: 'lines' as const })),
    map(inOrder(said('search for|look for|grep|grep for|search|find word|find text|find phrase|where is'), text, USED, where), ([, value, , of]) => ({ find: { text: value }, in: of, answer: 'lines' as const })),
    map(inOrder(known, where), ([find, of]) => ({ find, in: of, answer: 'lines' as const })),
    map(inOrder(said('search'), where_, said('for'), pattern), ([, of, , find]) => ({ find, in: of, answer: 'lines' as const })),
    map(inOrder(said('which files|what files|list files that|find files that|show files that|files that|list files which|which of files'), said('contain|mention|use|have|include|containing|with'), pattern, where), ([, , find, of]) => ({ find, in: of, answer: 'files' as const })),
    map(inOrder(said('lines|find lines|show lines|list lines|which lines|print lines'), said('with|containing|that contain|contain|that mention|that have|matching|have'), pattern, where), ([, , find, of]) => ({ find, in: of, answer: 'lines' as const })),
    map(inOrder(said('what'), said('changed|has changed|is new|have changed|was changed'), maybe(map(inOrder(said('in'), where_), ([, of]) => of)), period), ([, , of, since]) => ({ changed: of ?? { what: 'files' as const }, since })),
    map(inOrder(said('do|do all|are|which'), known, said('work|broken|are broken|dead|are dead')), ([, pattern_]) => ('known' in pattern_ && pattern_.known === 'url' ? { find: { known: 'broken_link' as const }, in: { what: 'files' as const }, answer: 'lines' as const } : undefined)),
    map(inOrder(said('check'), said('links'), where), ([, , of]) => ({ find: { known: 'broken_link' as const }, in: of, answer: 'lines' as const })),
    map(inOrder(said('make|create|write|generate|show'), said('table of contents|outline|toc'), where), ([, , of]) => ({ find: { known: 'heading' as const }, in: of, answer: 'lines' as const })),
    map(inOrder(said('how many|count|number of|how often is|how often does|how many times does|how many times is'), pattern, USED, maybe(said('appear|occur|come up|in use')), where, maybe(said('have|contain|appear|occur')), maybe(BY)), ([, find, , , of, , by]) => ({ find, in: of, answer: 'number' as const, ...(by === undefined ? {} : { by }) })),
    map(inOrder(said('read|open|show|print|cat|display|show me|what is in|what does'), file, maybe(said('say|contain'))), ([, path]) => ({ read: path })),
    map(inOrder(maybe(said('show|read|print|get|show me|what is|what are')), PART, maybe(count), said('lines|line'), said('of|in|from'), file), ([, part, n, , , path]) => ({ read: path, part: { [part]: n ?? 1 } })),
    map(inOrder(said('is'), file, said('valid|valid json|valid yaml|valid csv|well formed|ok')), ([, check]) => ({ check })),
    map(inOrder(said('validate|check|check whether|lint'), file, maybe(said('is valid|is valid json|for errors'))), ([, check]) => ({ check })),
    map(inOrder(LINES, file), ([that, path]) => ({ lines: path, that })),
    map(inOrder(said('sort|order'), file, said('alphabetically|by line|by name|in alphabetical order')), ([, path]) => ({ lines: path, that: 'are sorted' as const })),
    map(inOrder(maybe(said('what is|show|get|print|read|tell me|give me')), jsonKey, said('in|from|of'), dataFile), ([, value, , of]) => ({ value, of })),
    map(inOrder(said('compare|diff|what is difference between|what is different between|difference between|show differences between|differences between'), file, maybe(said('and|with|to|,')), file), ([, a, , b]) => ({ difference: [a, b] as const })),
    map(inOrder(said('compare|what is different between|difference between'), said('folders|directories'), place, said('and|with|to'), place), ([, , a, , b]) => ({ difference: [a, b] as const })),
    map(inOrder(said('how does|how do'), place, said('differ from|differ to'), place), ([, a, , b]) => ({ difference: [a, b] as const })),
    map(inOrder(said('are|is'), file, maybe(said('and|identical to|same as')), file, maybe(said('same|identical|equal'))), ([, a, , b]) => ({ difference: [a, b] as const })),
    map(inOrder(BRIEF, maybe(said('of|about|on')), where_), ([, , of]) => ({ brief: of })),
    map(inOrder(said('what is'), place, said('about')), ([, path]) => ({ brief: { what: 'files' as const, ...(path === '.' ? {} : { places: [path] }) } })),
  ),
);
/** What is to be seen of the lines of a file. */
const LINES: Rule<'occur twice' | 'are different' | 'are sorted' | 'are not blank'> = rule(() => {
  const of = maybe(said('in|of|from'));
  return oneOf<'occur twice' | 'are different' | 'are sorted' | 'are not blank'>(
    map(inOrder(said('which lines occur more than once|duplicate lines|show duplicate lines|find duplicate lines|list duplicate lines|lines that occur more than once|repeated lines|which lines are duplicates'), of), () => 'occur twice' as const),
    map(inOrder(said('unique lines|show unique lines|different lines|distinct lines|remove duplicate lines|drop duplicate lines|deduplicate lines|deduplicate'), of), () => 'are different' as const),
    map(inOrder(said('sort lines|sorted lines|sort|lines sorted'), of), () => 'are sorted' as const),
    map(inOrder(said('remove blank lines|remove empty lines|delete blank lines|delete empty lines|without blank lines'), of), () => 'are not blank' as const),
  );
});
/** A key of a data file: a word, or words joined by dots. */
const jsonKey = oneWord(({ kind, text: value, said: written, isFiller }) => {
  if (kind === 'quoted') return value;
  if (kind === 'path') return /^[\w-]+(?:\.[\w-]+)+$/.test(value) ? value : undefined;
  return kind !== undefined || isFiller || !/^[\w-]+$/.test(written) ? undefined : written;
});
const dataFile = map(file, (path) => (/\.(?:json|ya?ml|toml)$/.test(path) ? path : undefined));
const PART: Rule<'first' | 'last'> = oneOf<'first' | 'last'>(map(said('first'), () => 'first' as const), map(said('last'), () => 'last' as const));
const BRIEF = said('summarise|summarize|sum up|describe|brief me on|tell me about|give me short overview of|give me overview of|overview of|explain|write brief of|brief of|summary of|give me summary of|write summary of');

const FORMATS = 'json|csv|tsv|json lines|jsonl|markdown|markdown table|yaml';
const format = map(said(FORMATS), (word) => ({ 'json lines': 'jsonl', markdown: 'md', 'markdown table': 'md' })[word] ?? word);

export const textAction: Rule<Action> = rule(() =>
  oneOf<Action>(
    map(inOrder(said('replace|change|swap|substitute'), anyText, said('with|by|to|for'), anyText, IN_TEXTS), ([, from, , to, of]) => ({ replace: from, with: to, in: of })),
    map(inOrder(said('search for|find'), anyText, said('and'), said('replace it with|replace them with|replace with|change it to'), anyText, IN_TEXTS), ([, from, , , to, of]) => ({ replace: from, with: to, in: of })),
    map(inOrder(said('append|add|write'), quoted, said('to|at end of|to end of|in'), file), ([, written, , to]) => ({ append: written, to })),
    map(inOrder(said('write|put|save|create'), quoted, said('into|to|in|as'), file), ([, written, , to]) => ({ write: written, to })),
    map(inOrder(said('create|write|make'), file, said('with|containing|saying|with text|with content'), quoted), ([, to, , written]) => ({ write: written, to })),
    map(inOrder(said('convert|turn|export|transform|change|save'), file, said('to|into|as'), oneOf(file, map(format, (one) => `.${one}`))), ([, from, , to]) => ({ convert: from, to: to.startsWith('.') && !to.includes('/') ? from.replace(/\.[^./]+$/, to) : to })),
    map(inOrder(said('merge|combine|join|concatenate'), selection, said('into|to|as|in|into one called|into one file called|into single file called|into one file|into one named'), file), ([, merge, , to]) => ({ merge, to })),
    map(inOrder(said('format|pretty print|prettify|reformat|tidy up|tidy|indent'), file), ([, format]) => ({ format })),
  ),
);
const IN_TEXTS = map(inOrder(said('in|inside|within|across|throughout'), where_), ([, of]) => of);
const quoted = oneWord(({ kind, text: value }) => (kind === 'quoted' ? value : undefined));

