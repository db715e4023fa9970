// Owns: reading a selection of files in a goal: kinds, names, sizes, ages, order, number and places. Each step takes the
// phrases that it understands out of the text; a word that no step takes is left for the procedure, which then refuses.
import type { FileOrder, FileSelection, NameCondition } from '../../language/index.ts';
import { ADJECTIVE_WORDS, extensionsOf, NOUN_WORDS } from './file-kinds.ts';
import { type GoalText, type Phrase, pathOf, VALUE } from './goal-text.ts';
import { takePeriod } from './read-age.ts';

type Draft = { -readonly [Key in keyof FileSelection]: FileSelection[Key] };

const REL = '(?:(?:that|which|who) )?(?:(?:is|are|was|were|have|has|be) )?';
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  ki: 1_024,
  mi: 1_024 ** 2,
  gi: 1_024 ** 3,
};
const SIZE = '\\d+(?:\\.\\d+)? ?(?:b|bytes?|[kmgt]i?b?|kilobytes?|megabytes?|megs?|gigabytes?|gigs?)';
const DEFAULT_SHOWN = 20;

/** Takes what a goal says about files. Places are taken last, because other phrases have prepositions too. */
export function takeSelection(text: GoalText): FileSelection {
  const draft: Draft = { what: 'files', kinds: [], extensions: [], names: [], places: [], except: [] };
  const period = takePeriod(text);
  if (period?.phrase !== undefined) draft.modified = period.phrase;
  if (period?.problem !== undefined) draft.problem = period.problem;
  takeSizes(text, draft);
  takeNames(text, draft);
  takeOrder(text, draft);
  takeExceptions(text, draft);
  takeNamedFolders(text, draft);
  takeKinds(text, draft);
  takePlaces(text, draft);
  takeScope(text, draft);
  if (draft.order !== undefined && draft.order !== 'name' && draft.most === undefined) {
    const isLimited = draft.above !== undefined || draft.below !== undefined || draft.modified !== undefined;
    if (draft.isOne) draft.most = 1;
    else if (!isLimited && !draft.isSorted) Object.assign(draft, { most: DEFAULT_SHOWN, isVague: true });
  }
  return draft;
}

function takeSizes(text: GoalText, draft: Draft): void {
  const size = `(?<size>${SIZE})`;
  const between = text.take(`${REL}between (?<from>${SIZE}|\\d+) and ${size}(?: in size)?`);
  if (between) {
    const unit = /[a-z]+$/i.exec(between.get('size') ?? '')?.[0] ?? '';
    const from = between.get('from') ?? '';
    draft.above = bytesIn(/[a-z]$/i.test(from) ? from : `${from} ${unit}`) - 1;
    draft.below = bytesIn(between.get('size') ?? '') + 1;
  }
  const limit = (words: string, after: string): Phrase | undefined =>
    text.take(`${REL}(?:with (?:a )?size )?(?:of )?(?:${words}) ${size}(?: in size)?`) ??
    text.take(`${size} (?:or|and) (?:${after})`);
  const above = limit(
    'at least|(?:larger|bigger|greater|heavier|more|over|above|exceeding|exceeds?)(?: in size)?(?: than)?',
    'more|larger|bigger|over|above',
  );
  if (above)
    draft.above = bytesIn(above.get('size') ?? '') - (/at least| (?:or|and) /.test(above.text) ? 1 : 0);
  const below = limit(
    'at most|up to|(?:smaller|less|lighter|under|below)(?: in size)?(?: than)?',
    'less|smaller|under',
  );
  if (below)
    draft.below = bytesIn(below.get('size') ?? '') + (/at most|up to| (?:or|and) /.test(below.text) ? 1 : 0);
  if (
    text.take(
      `${REL}(?:completely |totally )?(?:empty|zero-byte|0-byte|zero-length)|with (?:no content|0 bytes)|zero byte`,
    )
  )
    draft.isEmpty = true;
}

function bytesIn(text: string): number {
  const [, number = '0', unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text.trim()) ?? [];
  const short = unit
    .toLowerCase()
    .replace(/bytes?$/, '')
    .replace(/^(kilo|mega|giga).*/, (word) => word.charAt(0))
    .replace(/^(meg|gig)s?$/, (word) => word.charAt(0));
  return Math.floor(Number(number) * (UNITS[short.replace(/b$/, '')] ?? 1));
}

function takeNames(text: GoalText, draft: Draft): void {
  const value = `(?<value>${VALUE})`;
  const names = '(?:file ?|folder ?)?names?';
  const add = (how: NameCondition['how'], phrase: Phrase | undefined): boolean => {
    const said = phrase?.get('value');
    if (said === undefined) return false;
    draft.names = [...draft.names, { how: /[*?]/.test(said) ? 'fits' : how, text: said }];
    return true;
  };
  const have = '(?:(?:whose|with|having|where|that have|which have) )?(?:a |the |their |its )?';
  add(
    'contains',
    text.take(
      `${REL}(?:with|containing|having|have|has|contain|contains|includes?) (?:the (?:word|text) )?${value} in (?:the|their|its) ${names}`,
    ),
  );
  add('starts', text.take(`${have}${names} (?:that )?(?:starts?|begins?|starting|beginning) with ${value}`));
  add('ends', text.take(`${have}${names} (?:that )?(?:ends?|ending) (?:in|with|on) ${value}`));
  add(
    'contains',
    text.take(
      `${have}${names} (?:contains?|containing|includes?|including|has|have|with) (?:the (?:word|text) )?${value}`,
    ),
  );
  add('starts', text.take(`${REL}(?:starts?|begins?|starting|beginning) with ${value}`));
  add('ends', text.take(`${REL}(?:ends?|ending) (?:in|with) ${value}`));
  add('is', text.take(`${REL}(?:called|named|titled|by the name of|with the name) ${value}`));
  if (text.has('(?:find|locate|where|search|look)'))
    add('is', text.take('(?:the |a |my )?(?:file|document) (?<value>§[pq])', isPlainName));
  while (add('fits', text.take(`${REL}(?:match|matches|matching|like) (?:the pattern )?(?<value>§g)`)));
  const typed = text.take(
    `(?:with|having) (?:the |an |a )?(?:file )?extensions? ${value}|of type ${value.replace('value', 'other')}`,
  );
  if (typed) addKind(draft, (typed.get('value') ?? typed.get('other') ?? '').replace(/^[*.]+/, ''), true);
}

function isPlainName(phrase: Phrase): boolean {
  return !/[*?/]/.test(phrase.get('value') ?? '/');
}

const ORDERS: readonly (readonly [FileOrder, string])[] = [
  [
    'largest',
    'largest|biggest|heaviest|(?:(?:really |very )?(?:large|big|huge|heavy)(?= (?:\\S+ )?(?:files?|folders?|photos?|images?|pictures?|videos?|documents?)))',
  ],
  ['smallest', 'smallest|tiniest|lightest'],
  ['oldest', 'oldest|least recent(?:ly (?:modified|changed|edited|updated|used))?'],
  [
    'newest',
    'newest|latest|(?:most )?recent(?:ly (?:modified|changed|edited|updated))?|last (?:modified|changed|edited|updated)|youngest',
  ],
];

function takeOrder(text: GoalText, draft: Draft): void {
  const set = (order: FileOrder, phrase: Phrase): void => {
    draft.order = order;
    const number = phrase.get('n') ?? phrase.get('m');
    if (number !== undefined) draft.most = Number(number);
  };
  for (const [order, words] of ORDERS) {
    if (draft.order !== undefined) break;
    const phrase = text.take(
      `(?:top )?(?:(?<n>\\d+) )?(?:of the )?(?:${words})(?: (?<m>\\d+)(?! ?(?:[kmg]i?b|bytes)))?`,
    );
    if (phrase) set(order, phrase);
  }
  const by = text.take(
    '(?:(?:sort|sorted|order|ordered|ranked|listed) )?by (?:their |its )?(?:file )?(?<by>size|date|time|age|name|modification (?:time|date))',
  );
  if (by && draft.order === undefined) {
    const said = by.get('by') ?? '';
    draft.order =
      said === 'size' ? 'largest' : said === 'name' ? 'name' : said === 'age' ? 'oldest' : 'newest';
    const top = text.take('(?:top|first) (?<n>\\d+)');
    if (top) draft.most = Number(top.get('n'));
    else draft.isSorted = true;
  }
  const space = text.take(
    '(?:that |which )?(?:take|takes|taking|use|uses|using|eat|eats|eating|need|needs|occupy|occupies)(?: up)? (?:the )?most (?:of (?:the |my )?)?(?:disk )?space',
  );
  if (space) draft.order = 'largest';
  if (draft.order !== undefined) text.take('(?:first|descending|ascending)');
}

const PREPOSITIONS = 'in|inside|within|under|below|from|of|at|on|across|throughout|through';
/** Words that are no names of folders. */
const NO_NAMES = `the|an?|my|our|this|that|these|those|all|any|every|each|which|what|is|are|total|size|sorted|order|by|than|and|or|with|into|to|name|names|type|types|month|months|year|years|date|it|them|here|there|files?|folders?|director(?:y|ies)|count|list|show|find|delete|remove|copy|move|rename|tell|sort|write|save|put|report|give|how|each|kind|language|recursively|everything|contents?|detail|turn|one|order|general|lines?|code|words?|bytes|use|used|takes?|space|please|thanks`;
/** A folder may be called "a", where nothing follows that the article could belong to. */
const PLACE = `(?:§[qp]|a(?=[\\s|]*(?:$|[|]|,|(?:to|into|as|and|or)(?![^\\s|])))|(?!(?:${NO_NAMES})(?![^\\s|,]))[^\\s|,§\\d][^\\s|,§]*|\\d[^\\s|,§]*)`;
const ARTICLE = '(?:(?:the|my|our|your|this) )?';
const FOLDER = '(?:folders?|director(?:y|ies)|dirs?)';
const PLACE_LIST = `${PLACE}(?:(?: , and| , or| ,| and| or) (?:in )?${ARTICLE}${PLACE})*`;

function takeExceptions(text: GoalText, draft: Draft): void {
  const without =
    '(?:but |and )?(?:except|excluding|exclude|besides|apart from|other than|ignoring|ignore|but not|not|leaving out|skipping|skip|without)(?: (?:for|those|the ones|files|the files|anything|everything))*';
  for (;;) {
    const phrase = text.take(
      `(?:, )?${without}(?: (?:in|inside|under|from))? ${ARTICLE}(?:${FOLDER} )?(?<place>§g|${PLACE})(?: ${FOLDER})?`,
    );
    const place = phrase?.get('place');
    if (place === undefined) return;
    const isSubfolders = /^sub-?(?:folders?|directories)$/i.test(place);
    if (isSubfolders) draft.isShallow = true;
    else if (/\*/.test(place)) draft.names = [...draft.names, { how: 'fits', text: place, not: true }];
    else if (/^\.[a-z0-9]+$/i.test(place))
      draft.names = [...draft.names, { how: 'ends', text: place, not: true }];
    else if (
      NOUN_WORDS.includes(place.toLowerCase()) &&
      !/ (?:in|inside|under|from) /.test(phrase?.text ?? '')
    )
      draft.problem = `"except ${place}" could mean a folder or a kind of files; name a folder or a pattern such as *.md`;
    else draft.except = [...draft.except, pathOf(place)];
  }
}

/** "the docs folder", "the folder docs": a folder by its name, with or without a preposition. */
function takeNamedFolders(text: GoalText, draft: Draft): void {
  for (;;) {
    const phrase =
      text.take(
        `(?:(?:${PREPOSITIONS}) )?${ARTICLE}(?:folders?|directory|directories) (?:(?:called|named) )?(?<place>§[qp]|(?!(?:${NO_NAMES}|${PREPOSITIONS}|called|named|${NOUN_WORDS.join('|')})(?![^\\s|,]))[a-z0-9_][^\\s|,§]*)(?: and (?<more>§[qp]))?`,
        isSingularFolder,
      ) ??
      text.take(`(?:(?:${PREPOSITIONS}) )(?:the|my|our|your) (?<place>${PLACE}) (?:folder|directory)`) ??
      text.take(
        `(?:(?:${PREPOSITIONS}) )?(?:(?:the|my|our|your) )?(?<place>§[qp]|${PLACE}) (?:folder|directory)`,
        isNoAdjective,
      );
    const place = phrase?.get('place');
    if (place === undefined) return;
    const more = phrase?.get('more');
    addPlaces(draft, more === undefined ? [place] : [place, more]);
  }
}

/** "folders in src" are folders to find; "folder src" is the folder with that name. */
function isSingularFolder({ text }: Phrase): boolean {
  return /\b(?:folder|directory)\b/.test(text) || /\bfolders|directories\b.*§/.test(text);
}

const ADJECTIVES_OF_FOLDERS =
  /^(?:current|whole|entire|same|root|top|parent|empty|largest|biggest|newest|oldest|smallest|working|each|every|which|what|new|a|an|another|other|one|by|per|zip|archive|make|create|delete|remove|copy|move|list|pack|compress|tar|unpack|back|duplicate)$/i;

function isNoAdjective(phrase: Phrase): boolean {
  return !ADJECTIVES_OF_FOLDERS.test(phrase.get('place') ?? '');
}

const AFTER_PLACE = `(?<!(?:^|[\\s|])(?:in|inside|within|under|from|below|into|to|at|on) (?:(?:the|my|our|your) )?)`;
const FILE_NOUN = '(?:files?|documents?|scripts?|images?|photos?|pictures?|videos?|modules?|sources?|code)';

function takeKinds(text: GoalText, draft: Draft): void {
  const nouns = [...NOUN_WORDS].sort((a, b) => b.length - a.length).join('|');
  const adjectives = ADJECTIVE_WORDS.map((word) => word.replace(/[+#]/g, '\\$&'))
    .sort((a, b) => b.length - a.length)
    .join('|');
  const before = '(?:(?:all|every|each|any|the|my|of|those|these|some) )*';
  for (;;) {
    const pattern =
      text.take(`${before}(?<glob>§g)(?: files?)?`) ??
      text.take(
        `${before}(?<glob>§p)(?: ,)?(?: and| or)?(?= §p(?:(?: ,)?(?: and| or)? §p)* files?)`,
        isExtension,
      ) ??
      text.take(`${before}(?<glob>§p) (?:files?)`, isExtension) ??
      text.take(`(?:all|every|each|any)(?: the| my)? (?<glob>§p)`, isExtension);
    const glob = pattern?.get('glob');
    if (glob !== undefined) {
      addPattern(draft, glob);
      noteNumber(draft, pattern?.text ?? '');
      continue;
    }
    const kind =
      text.take(
        `${before}(?<kind>${adjectives})(?: ,)?(?: and| or)?(?= (?:${adjectives}|§[pg])(?:(?: ,)?(?: and| or)? (?:${adjectives}))* files?)`,
      ) ??
      text.take(`${before}(?<kind>${adjectives}) ${FILE_NOUN}`) ??
      text.take(
        `${AFTER_PLACE}${before}(?<kind>(?:pdf|jpe?g|png|gif|csv|mp3|mp4|zip|svg|json|docx|xlsx)s)(?! (?:folder|directory))`,
      ) ??
      text.take(`${AFTER_PLACE}${before}(?<kind>${nouns})(?: files?)?(?! (?:folder|directory))`);
    const said = kind?.get('kind');
    if (kind === undefined || said === undefined) break;
    addKind(draft, said, true);
    noteNumber(draft, kind.text);
  }
  if (text.take(`${before}(?:hidden files?|dot ?files?|dot-files?)`))
    draft.names = [...draft.names, { how: 'starts', text: '.' }];
  if (
    text.take(
      `${before}(?:files and (?:sub)?folders|folders and files|files and directories|files or folders)|${before}(?:everything|contents|things|items)`,
    )
  )
    draft.what = 'everything';
  const isNamed = draft.kinds.length > 0;
  const folders =
    text.take(`${before}(?:sub-?)?(?:folders|directories|dirs)`) ??
    text.take(
      '(?:an? |the |which |what |any )?(?:sub-?)?(?:folder|directory)',
      () => draft.isEmpty === true || draft.order !== undefined || draft.names.length > 0,
    );
  if (folders) {
    draft.what = 'folders';
    noteNumber(draft, folders.text);
  }
  if (draft.kinds.length + draft.names.length > 1) text.take('or');
  const generic = draft.what === 'folders' ? undefined : text.take(`${before}files?`);
  if (generic) noteNumber(draft, generic.text);
  draft.hasNoun = isNamed || generic !== undefined || folders !== undefined || draft.what === 'everything';
}

/** "The oldest file" is one file; "the oldest files" are several. */
function noteNumber(draft: Draft, said: string): void {
  const noun = said.trim().replace(/(?: ,)?(?: and| or)?$/, '');
  const isPlural = /s$|§[gp]$|music$|audio$|code$|\b(?:all|every|each|any)\b/.test(noun);
  draft.isOne = !isPlural && draft.isOne !== false;
}

function isExtension(phrase: Phrase): boolean {
  return /^\.[\p{L}\p{N}]+$/u.test(phrase.get('glob') ?? '');
}

/** `*.log` and `.log` mean the extension; another pattern is a condition on the name. */
function addPattern(draft: Draft, glob: string): void {
  const extension = /^\*?\.([\p{L}\p{N}]+)$/u.exec(glob)?.[1];
  if (extension !== undefined) addKind(draft, extension, false);
  else draft.names = [...draft.names, { how: 'fits', text: glob.replace(/^\.\//, '') }];
}

/** Adds the extensions that a word means; a literal extension means only itself. */
function addKind(draft: Draft, said: string, isWord: boolean): void {
  const extensions = isWord ? (extensionsOf(said) ?? [said.toLowerCase()]) : [said.toLowerCase()];
  draft.kinds = [...draft.kinds, isWord ? said.toLowerCase() : `.${said.toLowerCase()}`];
  draft.extensions = [...new Set([...draft.extensions, ...extensions])];
}

function takePlaces(text: GoalText, draft: Draft): void {
  text.take(
    `(?:${PREPOSITIONS}) ${ARTICLE}(?:whole |entire |current |root |top |working )*(?:folder|directory|project|workspace|repo|repository|codebase|computer|machine|disk|tree)`,
    ({ text: said }) => !/computer|machine|disk/.test(said),
  );
  text.take(`(?:in )?(?:here|everywhere|anywhere)`);
  for (;;) {
    const phrase = text.take(
      `(?:${PREPOSITIONS}) (?:all (?:of )?)?${ARTICLE}(?:${FOLDER} )?(?<places>${PLACE_LIST})(?: ${FOLDER})?(?=[\\s|]*(?:$|[|]|(?:${PREPOSITIONS}|into|to|as|by|and|or|recursively|please|now|sorted|with|for|that|which|is|are|take|takes|use|uses|using|have|has|contain|contains|there|do|does|older|newer|larger|smaller|whose|called|named|but|except|only|as|per|together|i|combined|altogether)(?![^\\s|])|,))`,
    );
    if (phrase === undefined) break;
    const tokens = phrase
      .tokens('places')
      .filter(
        ({ kind, text: word }) => kind !== 'comma' && !/^(?:and|or|in|the|my|our|your|this)$/i.test(word),
      );
    addPlaces(
      draft,
      tokens.map(({ text: word }) => word),
    );
  }
  const alone = text.take('(?<place>§p)', (phrase) => pathOf(phrase.get('place') ?? '') === '.');
  if (alone) addPlaces(draft, ['.']);
}

function addPlaces(draft: Draft, places: readonly string[]): void {
  const named = places.map(pathOf).filter((place) => place !== '.');
  draft.places = [...new Set([...draft.places, ...named])];
}

function takeScope(text: GoalText, draft: Draft): void {
  text.take(
    '(?:including|and|with|in) (?:all )?(?:of )?(?:the |its |their )?sub-?(?:folders|directories)|recursively',
  );
  if (
    text.take(
      '(?:directly|only|just)(?= [|]|[|])|(?:at|on) the top level|top-level|only at the top|not recursively|non-recursively',
    )
  )
    draft.isShallow = true;
}
