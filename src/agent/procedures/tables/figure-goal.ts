import type { GoalPhrase } from '../goal-phrase.ts';

export type Figure = 'sum' | 'mean' | 'median' | 'min' | 'max';

/** What a goal asks about a table. Names of columns and conditions are as written; the table decides what they mean. */
export type FigureQuestion =
  | {
      readonly ask: 'figures';
      readonly figures: readonly Figure[];
      readonly column: string;
      readonly group?: string;
      readonly where?: string;
    }
  | { readonly ask: 'count'; readonly what: string; readonly group?: string; readonly where?: string }
  /** Totals and averages of every column with numbers, for each group. */
  | { readonly ask: 'summary'; readonly group: string; readonly where?: string }
  | { readonly ask: 'distinct'; readonly column: string; readonly where?: string }
  | { readonly ask: 'common'; readonly column: string; readonly limit: number }
  | {
      readonly ask: 'rank';
      readonly what: string;
      readonly by: string;
      readonly order: 'most' | 'least';
      readonly limit: number;
      readonly figure?: Figure;
      readonly where?: string;
    };

const FIGURES: Readonly<Record<Figure, string>> = {
  sum: 'sum total|grand total|sum up|add up|sum|total|totals',
  mean: 'average|mean|avg|averages',
  median: 'median|medians',
  min: 'minimum|min|smallest|lowest|earliest|cheapest',
  max: 'maximum|max|largest|highest|biggest|greatest|latest',
};
const FN = Object.values(FIGURES).join('|');
const ASK =
  "(?:(?:what(?:'s| is| are| was| were)?|how much (?:is|are)|show(?: me)?|give(?: me)?|tell(?: me)?|calculate|compute|find(?: out)?|get|work out|determine|list|print|report|display|make|create|produce|see) )?(?:the |a |an |all |all the |its )*";
const GROUP =
  ',? (?:and )?(?:group(?:ed)? by|broken down by|split by|by|per|for each|for every|of each|in each|of every) ';
const WHERE =
  ',? (?:where|whose|for (?:the |all )?(?:rows|entries|records|lines) (?:where|with|in which)|with|having|that have|when|if|in which|for only|only for|for) ';
const ARE =
  '(?: (?:are there|there are|are|is|do we have|do i have|do|does|have|has|exist|exists|contain|contains|in total|altogether|in it))*';
const MOST =
  '(?<most>most|highest|largest|biggest|greatest|top|maximum|max|best)|(?<least>lowest|smallest|least|fewest|minimum|min|bottom|worst)';
const DEFAULT_LIMIT = 10;

const PATTERNS = {
  summary: new RegExp(
    `^(?:summari[sz]e|group|summary|show a summary|break down|aggregate)(?: it| (?:the )?rows| data)?${GROUP}(?<group>.+?)(?:${WHERE}(?<where>.+))?$`,
    'i',
  ),
  figures: new RegExp(
    `^${ASK}(?<figures>(?:${FN})(?:(?:, and|,| and) (?:the )?(?:${FN}))*)(?: values?)?(?: of| for| over| in)?(?: the| all| all the| its)? (?<column>.+?)(?:${GROUP}(?<group>.+?))?(?:${WHERE}(?<where>.+))?$`,
    'i',
  ),
  grouped: new RegExp(
    `^${GROUP.slice(0, 0)}(?:for each|for every|per|by|group by) (?<group>.+?),? ${ASK}(?<figures>${FN})(?: of)?(?: the)? (?<column>.+)$`,
    'i',
  ),
  count: new RegExp(
    `^(?:how many|${ASK}(?:total )?(?:number|count|amount) of|count(?: up)?(?: all)?(?: the)?)(?: (?<distinct>distinct|unique|different))? (?<what>.+?)${ARE}(?:${GROUP}(?<group>.+?))?${ARE}(?:(?:${WHERE}|,? (?:have|has) (?:an? |the )?)(?<where>.+?))?${ARE}$`,
    'i',
  ),
  rowCount: new RegExp(`^${ASK}(?<what>rows?|records?|entry|entries) (?:count|number)$`, 'i'),
  common: new RegExp(
    `^(?:${ASK}(?:top )?(?:@n(?<limit>\\d+) )?most (?:common|frequent|popular|often used) (?:values? (?:of|in) )?(?<column>.+?)|(?:which|what) (?<one>.+?) (?:is|are|occurs|appears) (?:the )?most (?:common|frequent|popular|often))$`,
    'i',
  ),
  distinct: new RegExp(
    `^(?:${ASK}(?:distinct|unique|different) (?:values? (?:of|in|for) )?(?:the )?(?<column>.+?)|(?:which|what) (?<one>.+?) (?:are there|are|occur|appear|exist))${ARE}(?:${WHERE}(?<where>.+))?$`,
    'i',
  ),
  top: new RegExp(
    `^(?:(?:which|who)(?: are)? )?${ASK}(?:(?:${MOST}) (?:@n(?<limit>\\d+) )?|@n(?<first>\\d+) (?:${MOST.replaceAll('?<most>', '?<most2>').replaceAll('?<least>', '?<least2>')}) )(?<what>.+?) (?:by|in terms of|ranked by|according to|with the (?:most|highest|largest|biggest|lowest|smallest)) (?:the )?(?:(?<figure>${FN}) )?(?<by>.+?)(?:${WHERE}(?<where>.+))?$`,
    'i',
  ),
  topOne: new RegExp(
    `^(?:which|what|who) (?:(?<what>.+?) )?(?:has|have|had|with) the (?:${MOST}) (?:(?<figure>${FN}) )?(?<by>.+?)(?:${WHERE}(?<where>.+))?$`,
    'i',
  ),
  row: new RegExp(`^${ASK}(?<what>rows?|record|entry|line|entries) with the (?:${MOST}) (?<by>.+?)$`, 'i'),
  topValues: new RegExp(`^${ASK}(?:@n(?<limit>\\d+) (?:${MOST})|top @n(?<first>\\d+)) (?<by>.+?)$`, 'i'),
} as const;

/** Reads a question about a table from the words of a goal; undefined when it is about something else. */
export function readQuestion({ line, plain }: GoalPhrase): FigureQuestion | undefined {
  const text = line;
  const said = (piece: string | undefined): string => plain(piece ?? '', 'quotes');
  const clause = (groups: Record<string, string | undefined>, name: string): object =>
    groups[name] === undefined ? {} : { [name]: said(groups[name]) };
  const limitOf = (groups: Record<string, string | undefined>): number => {
    const mark = groups['limit'] ?? groups['first'];
    const limit = mark === undefined ? Number.NaN : Number(plain(`@n${mark}`));
    return Number.isInteger(limit) && limit > 0 ? limit : DEFAULT_LIMIT;
  };
  for (const [name, pattern] of Object.entries(PATTERNS).sort(
    ([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b),
  )) {
    const groups = pattern.exec(text)?.groups as Record<string, string | undefined> | undefined;
    if (groups === undefined) continue;
    const order = (groups['least'] ?? groups['least2']) ? 'least' : 'most';
    const where = clause(groups, 'where');
    if (ROWS.test(groups[name === 'topValues' ? 'by' : name === 'distinct' ? 'column' : ''] ?? '')) continue;
    if (name === 'count' && /^(?:duplicate|repeated)/i.test(groups['what'] ?? '')) continue;
    switch (name) {
      case 'summary':
        return { ask: 'summary', group: said(groups['group']), ...where };
      case 'common':
        return {
          ask: 'common',
          column: said(groups['column'] ?? groups['one']),
          limit: groups['one'] || !groups['limit'] ? 1 : limitOf(groups),
        };
      case 'distinct':
        return { ask: 'distinct', column: said(groups['column'] ?? groups['one']), ...where };
      case 'count':
      case 'rowCount':
        if (groups['distinct'] !== undefined)
          return { ask: 'distinct', column: said(groups['what']), ...where };
        return { ask: 'count', what: said(groups['what']), ...clause(groups, 'group'), ...where };
      case 'figures':
      case 'grouped':
        return {
          ask: 'figures',
          figures: figuresIn(groups['figures'] ?? ''),
          column: said(groups['column']),
          ...clause(groups, 'group'),
          ...where,
        };
      default: {
        const figure = groups['figure'] === undefined ? {} : { figure: figureOf(groups['figure']) };
        const what = groups['what'] === undefined ? 'rows' : said(groups['what']);
        const isOne = name === 'topOne' || name === 'row';
        return {
          ask: 'rank',
          what,
          by: said(groups['by']).replace(/^(?:the )?(?:number|count|amount) of /i, ''),
          order,
          limit: isOne ? 1 : limitOf(groups),
          ...figure,
          ...where,
        };
      }
    }
  }
  return undefined;
}

const ROWS = /^(?:rows?|records?|entry|entries|lines?)$/i;

/** More specific patterns first. */
const ORDER = [
  'summary',
  'rowCount',
  'common',
  'topOne',
  'row',
  'top',
  'topValues',
  'distinct',
  'count',
  'figures',
  'grouped',
];

function figuresIn(text: string): Figure[] {
  return [...new Set(text.split(/, and |, | and /i).map((word) => figureOf(word.replace(/^the /i, ''))))];
}

function figureOf(word: string): Figure {
  const found = Object.entries(FIGURES).find(([, words]) => words.split('|').includes(word.toLowerCase()));
  return (found?.[0] ?? 'sum') as Figure;
}
