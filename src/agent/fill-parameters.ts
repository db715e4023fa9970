import type { ToolFace } from '../engine/index.ts';
import type { Json, JsonObject } from '../kernel/index.ts';
import { stem, tokenise } from '../retrieval/index.ts';
import { type Parameter, parametersOf } from './parameter-roles.ts';
import { isFiller, tidyPath } from './read-goal.ts';
import type { Goal, GoalPart } from './types.ts';

/** What a goal says about a tool's input, and the required parameters that it leaves open. */
export interface FilledParameters {
  readonly input: JsonObject;
  readonly missing: readonly Parameter[];
}

/** What stands before a place to look at. */
const PLACES: ReadonlySet<string> = new Set(['in', 'inside', 'within', 'under', 'from', 'at']);
/** What stands before where something goes, but also before much else. */
const LOOSE_PLACES: ReadonlySet<string> = new Set(['to', 'into', 'as', 'of']);
const SUBJECTS: ReadonlySet<string> = new Set(['for', 'about']);
const SECONDS: ReadonlyMap<string, number> = new Map([
  [stem('second'), 1],
  [stem('minute'), 60],
  [stem('hour'), 3_600],
  [stem('day'), 86_400],
]);

/** Takes values for a tool's parameters from the goal. Each value is used once; nothing is made up. */
export function fillParameters(goal: Goal, tool: ToolFace): FilledParameters {
  const parameters = parametersOf(tool);
  const filling = new Filling(goal, tool, parameters);
  const input: { [name: string]: Json } = {};
  for (const parameter of [...parameters].sort((a, b) => order(a) - order(b))) {
    const value = filling.take(parameter);
    if (value !== undefined) input[parameter.name] = value;
  }
  return { input, missing: parameters.filter(({ name, required }) => required && input[name] === undefined) };
}

/** Values that can be told by their form go first; words are left for last. */
function order({ role }: Parameter): number {
  return ['url', 'date', 'number', 'choice', 'name', 'path', 'content', 'query'].indexOf(role);
}

/** The parts of a goal, handed out one after the other. */
class Filling {
  readonly #goal: Goal;
  readonly #free: Set<GoalPart>;
  readonly #takesText: boolean;
  readonly #takesQuery: boolean;
  readonly #onlyPath: boolean;

  constructor(goal: Goal, tool: ToolFace, parameters: readonly Parameter[]) {
    const vocabulary = new Set(tokenise(`${tool.name} ${tool.description}`));
    const verb = goal.parts.find((part) => part.kind === 'word' && part.text.toLowerCase() === goal.verb);
    const empty = (part: GoalPart): boolean =>
      part.kind === 'word' &&
      (part === verb ||
        isFiller(part) ||
        (part.after === undefined && vocabulary.has(stem(part.text.toLowerCase()))));
    this.#goal = goal;
    this.#free = new Set(goal.parts.filter((part) => !empty(part)));
    this.#takesQuery = parameters.some(({ role }) => role === 'query');
    this.#takesText = this.#takesQuery || parameters.some(({ role }) => role === 'content');
    this.#onlyPath = parameters.filter(({ role }) => role === 'path').length === 1;
  }

  take(parameter: Parameter): Json | undefined {
    switch (parameter.role) {
      case 'path':
        return this.#path(parameter.name);
      case 'url':
        return this.#use((part) => part.kind === 'url');
      case 'date':
        return this.#date();
      case 'number':
        return this.#number(parameter);
      case 'choice':
        return this.#use((part) => parameter.choices?.includes(part.text) ?? false);
      case 'content':
        return this.#use((part) => part.kind === 'quoted');
      case 'query':
        return this.#use((part) => part.kind === 'quoted') ?? this.#words();
      case 'name':
        return this.#use((part) => this.#before(part) === parameter.name.toLowerCase());
      case 'flag':
      case 'structure':
        return undefined;
    }
  }

  /** A path by its form first; a quoted text or a word only where it stands in a path's place. */
  #path(name: string): string | undefined {
    const { target } = this.#goal;
    const isTarget = (part: GoalPart): boolean => part === target;
    const goesTo = /^(?:to|target|destination)$/.test(name);
    const inPlace = (part: GoalPart): boolean =>
      PLACES.has(part.after ?? '') || (!this.#takesQuery && LOOSE_PLACES.has(part.after ?? ''));
    const mayBeTarget = goesTo || this.#onlyPath;
    const value =
      this.#use((part) => isTarget(part) && mayBeTarget && part.kind !== 'word') ??
      this.#use((part) => part.kind === 'path' && !isTarget(part) && !goesTo) ??
      this.#use((part) => part.kind === 'quoted' && !goesTo && (inPlace(part) || !this.#takesText)) ??
      this.#use((part) => part.kind === 'word' && (goesTo ? isTarget(part) : inPlace(part))) ??
      (this.#takesText || goesTo ? undefined : this.#onlyWord());
    return value === undefined ? undefined : tidyPath(value);
  }

  #date(): string | undefined {
    const date = this.#use((part) => part.kind === 'date');
    return date !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T00:00:00Z` : date;
  }

  /** A number that stands beside the parameter's name or a unit of time, or the only one when one is needed. */
  #number({ name, required }: Parameter): number | undefined {
    for (const part of [...this.#free].filter(({ kind }) => kind === 'number')) {
      const [before, after] = this.#neighbours(part);
      const named = [before, after].find((word) => word && stem(word.text.toLowerCase()) === stem(name));
      const unit =
        after && /(?:^|_)seconds$/.test(name) ? SECONDS.get(stem(after.text.toLowerCase())) : undefined;
      if (!named && unit === undefined) continue;
      for (const used of [part, named ?? after]) this.#free.delete(used as GoalPart);
      return Number(part.text) * (unit ?? 1);
    }
    const numbers = [...this.#free].filter((part) => part.kind === 'number');
    return required && numbers.length === 1 ? Number(this.#use((part) => part === numbers[0])) : undefined;
  }

  /** The words after `for` or `about` as they stand, up to the next place; else every word that is left. */
  #words(): string | undefined {
    const { parts } = this.#goal;
    const start = parts.findIndex((part) => part.kind === 'word' && SUBJECTS.has(part.text.toLowerCase()));
    const said =
      start < 0
        ? [...this.#free].filter((part) => part.kind === 'word')
        : this.#phrase(parts.slice(start + 1));
    for (const part of said) this.#free.delete(part);
    return said.length === 0 ? undefined : said.map((part) => part.text).join(' ');
  }

  #phrase(parts: readonly GoalPart[]): readonly GoalPart[] {
    const first = parts.findIndex((part) => this.#free.has(part));
    if (first < 0) return [];
    const rest = parts.slice(first);
    const isPlace = (part: GoalPart): boolean => part.kind === 'word' && PLACES.has(part.text.toLowerCase());
    const end = rest.findIndex((part) => isPlace(part) || !(this.#free.has(part) || isFiller(part)));
    return end < 0 ? rest : rest.slice(0, end);
  }

  #onlyWord(): string | undefined {
    const words = [...this.#free].filter((part) => part.kind === 'word');
    return words.length === 1 ? this.#use((part) => part === words[0]) : undefined;
  }

  #use(fits: (part: GoalPart) => boolean): string | undefined {
    const part = [...this.#free].find(fits);
    if (part) this.#free.delete(part);
    return part?.text;
  }

  #before(part: GoalPart): string | undefined {
    return this.#neighbours(part)[0]?.text.toLowerCase();
  }

  #neighbours(part: GoalPart): readonly [GoalPart | undefined, GoalPart | undefined] {
    const at = this.#goal.parts.indexOf(part);
    return [this.#goal.parts[at - 1], this.#goal.parts[at + 1]];
  }
}
