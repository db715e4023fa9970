// Owns: reading a goal phrase by phrase. A phrase that was read is taken out; what is left tells whether the goal was
// understood as a whole. Pure.
import { type Goal, readTokens, type Token, tidyPath } from '../../language/index.ts';

/** How values look in patterns: quoted text, a path, a name with a star, a date, an address. */
export const VALUE = '(?:§[qpgd]|[^\\s|,§]+)';
const TAKEN = '|';

/** The named parts of a phrase, in their original spelling. */
export interface Phrase {
  readonly text: string;
  readonly start: number;
  /** The text of a group; undefined if the group matched nothing. */
  get(group: string): string | undefined;
  /** The tokens of a group. */
  tokens(group: string): readonly Token[];
}

/** The words of a goal in lower case, with signs for its values: "in docs" is `in docs`, "in ./docs" is `in §p`. */
export class GoalText {
  readonly #tokens: readonly Token[];
  readonly #starts: readonly number[];
  #text: string;

  constructor(goal: Goal) {
    this.#tokens = tokensOf(goal);
    const starts: number[] = [];
    let text = '';
    for (const token of this.#tokens) {
      starts.push(text.length);
      text += `${signOf(token)} `;
    }
    this.#starts = starts;
    this.#text = text;
  }

  /** What is not taken yet. */
  get text(): string {
    return this.#text;
  }

  /** Whether the words match a pattern; takes nothing. */
  has(pattern: string): boolean {
    return regex(pattern).test(this.#text);
  }

  /** Takes the first phrase that matches and that `accept` accepts. */
  take(pattern: string, accept: (phrase: Phrase) => boolean = () => true): Phrase | undefined {
    const search = regex(pattern);
    for (let match = search.exec(this.#text); match; match = search.exec(this.#text)) {
      const phrase = this.#phrase(match);
      if (!accept(phrase)) {
        search.lastIndex = match.index + 1;
        continue;
      }
      const end = match.index + match[0].length;
      this.#text = this.#text.slice(0, match.index) + TAKEN.repeat(match[0].length) + this.#text.slice(end);
      return phrase;
    }
    return undefined;
  }

  /** Whether everything is taken but words without a meaning and these words, separated by spaces. */
  isRead(words = ''): boolean {
    return this.unread(words).length === 0;
  }

  unread(words = ''): readonly string[] {
    const known = new Set(words.split(/\s+/));
    return this.#tokens.flatMap((token, i) => {
      const start = this.#starts[i] as number;
      const sign = this.#text.slice(start, start + signOf(token).length);
      const isTaken = sign === '' || sign.includes(TAKEN);
      const isKnown = token.kind === 'comma' || known.has(sign) || EMPTY.has(sign);
      return isTaken || isKnown ? [] : [token.text];
    });
  }

  #phrase(match: RegExpExecArray): Phrase {
    const tokens = (group: string): readonly Token[] => {
      const [from, until] = match.indices?.groups?.[group] ?? [0, 0];
      return this.#tokens.filter((_, i) => {
        const start = this.#starts[i] as number;
        return start >= from && start < until;
      });
    };
    return {
      text: match[0],
      start: match.index,
      tokens,
      get: (group) => {
        if (match.groups?.[group] === undefined) return undefined;
        return tokens(group)
          .map(({ text }) => text)
          .join(' ');
      },
    };
  }
}

const readGoals = new WeakMap<Goal, readonly Token[]>();

/** Read once per goal, because every procedure reads the same one. */
function tokensOf(goal: Goal): readonly Token[] {
  const tokens = readGoals.get(goal) ?? readTokens(goal.text).filter(({ kind }) => kind !== 'stop');
  readGoals.set(goal, tokens);
  return tokens;
}

/** Words that change nothing, wherever they are. */
const EMPTY: ReadonlySet<string> = new Set(
  `a an the this that these those my our your its me us you i we it they them their of in at on for and also please
  kindly can could would will want need like lets let let's just now then go ahead help thanks thank hi hey hello oka is
  are be am was were been do does did have has had got there there's which what what's whats who where where's how i'd
  i'll i've i'm we'd quickly quick currently right still exist exists all any every each some so here`.split(
    /\s+/,
  ),
);

/** A path as the goal names it. */
export function pathOf(text: string): string {
  return tidyPath(text);
}

function signOf({ kind, text }: Token): string {
  if (kind === 'comma') return ',';
  if (kind === 'quoted') return /[*?]/.test(text) ? '§g' : '§q';
  if (kind === 'url') return '§u';
  if (kind === 'date') return '§d';
  if (kind === 'path') return /[*?]/.test(text) ? '§g' : '§p';
  if (kind === 'word' && /\*/.test(text)) return '§g';
  return text.toLowerCase().replaceAll('’', "'").replaceAll(/[|§]/g, '');
}

const compiled = new Map<string, RegExp>();

function regex(pattern: string): RegExp {
  const known = compiled.get(pattern) ?? new RegExp(`(?<![^\\s|])(?:${pattern})(?![^\\s|,])`, 'gd');
  compiled.set(pattern, known);
  known.lastIndex = 0;
  return known;
}
