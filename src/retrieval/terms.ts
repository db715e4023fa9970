import { memoize } from '../kernel/index.ts';
import { stem } from './tokenise.ts';

const MAX_ROOTS = 50_000;
const STOP_WORDS = new Set(
  `a about after again all also am an and any are as at be been before being but by can could d did do does doing done
  down each else ever few for from get got had has have having he hello her here hers hey hi him his how i if in into is it its itself just kind ll
  lot m make many may me might mine more most much my no nor not of off oh ok okay on once one only or other our ours out over own
  re s same she should so some such t than that the their theirs them then there these they thing this those to too um up us ve
  very was we were what when where whether which while who whom whose why will with would yeah yes you your yours`.split(
    /\s+/,
  ),
);

/** Longer words are not searchable. */
const MAX_WORD_LENGTH = 64;

/** The terms of a text in order: the roots of its words without stop words. */
export function termsOf(text: string): string[] {
  return significantWords(plainWords(text)).map(rootOf);
}

/** The words of a text in lower case, without contractions, possessives and accents. */
export function plainWords(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[’ʼ]/g, "'")
      .toLowerCase()
      .replace(/n't\b/g, '')
      .replace(/'(?:s|ll|ve|re|d|m)\b/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).filter((word) => word.length <= MAX_WORD_LENGTH);
}

/** The words without stop words; all of them if nothing else is left. */
export function significantWords(words: readonly string[]): readonly string[] {
  const significant = words.filter((word) => !STOP_WORDS.has(word));
  return significant.length > 0 ? significant : words;
}

/** The common root of the forms of an English word: its stem, including irregular forms. */
export const rootOf = memoize(MAX_ROOTS, (word) => stem(irregularForms.get(word) ?? word));

const FORMS = `
go: went gone goes; buy: bought; take: took taken; give: gave given; see: saw seen; make: made; come: came;
get: got gotten; find: found; tell: told; think: thought; say: said; feel: felt; leave: left; meet: met;
bring: brought; begin: began begun; keep: kept; hold: held; write: wrote written; stand: stood; hear: heard;
let: letting; mean: meant; run: ran; pay: paid; sit: sat; speak: spoke spoken; lead: led; grow: grew grown;
lose: lost; fall: fell fallen; send: sent; build: built; understand: understood; draw: drew drawn;
break: broke broken; spend: spent; cut: cutting; rise: risen; drive: drove driven; wear: wore worn;
choose: chose chosen; eat: ate eaten; sing: sang sung; swim: swam swum; fly: flew flown; ride: rode ridden;
sell: sold; teach: taught; catch: caught; win: won; fight: fought; sleep: slept; throw: threw thrown;
know: knew known; become: became; forget: forgot forgotten; drink: drank drunk; wake: woke woken; hide: hid hidden;
bake: baked; shoot: shot; hang: hung; lend: lent; stick: stuck; steal: stole stolen; tear: tore torn; bite: bit bitten;
freeze: froze frozen; shake: shook shaken; dig: dug; feed: fed; light: lit; knit: knitted; sew: sewn;
try: tries tried; cry: cries cried; dry: dries dried; fry: fries fried; fly: flies; sky: skies;
child: children; man: men; woman: women; person: people; foot: feet; tooth: teeth; mouse: mice; wife: wives;
life: lives; knife: knives; leaf: leaves; shelf: shelves; die: died dying; lie: lying; tie: tied tying;
good: better best; bad: worse worst; decide: decision decisions; marry: marriage married; move: moving moved;
argue: argument; injure: injury injuries; perform: performance; apply: application applications; weigh: weight;
grow: growth; think: thoughts; lose: loss; choose: choice choices; fly: flight flights; sing: song songs; paint: painting paintings
`;

/** The base form of an irregular English form. */
const irregularForms: ReadonlyMap<string, string> = new Map(
  FORMS.split(';').flatMap((line) => {
    const [word = '', forms = ''] = line.split(':');
    return forms
      .trim()
      .split(/\s+/)
      .map((form) => [form, word.trim()] as const);
  }),
);
