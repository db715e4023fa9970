import type { Json, JsonObject } from '../kernel/index.ts';
import { stem, tokenise } from '../retrieval/index.ts';
import { type Parameter, parametersOf, ROLES } from './parameters.ts';
import { isName, isTemplate, isValue, subjectOf, tidyPath } from './read-goal.ts';
import type { EarlierSteps, Goal, GoalPart, ReadableTool } from './types.ts';
import {
  isIdleForTools,
  isPronoun,
  isQuantifier,
  PLACES,
  secondsOf,
  THAT_ONE,
  TOWARDS,
} from './vocabulary.ts';

/** A tool's input, as far as a goal says it. */
export interface FilledParameters {
  readonly input: JsonObject;
  /** Required parameters that the goal does not say. */
  readonly missing: readonly Parameter[];
  /** Parts of the goal without a parameter. */
  readonly unplaced: readonly string[];
  /** Words that neither the tool nor a parameter accounts for; a call that ignores them may not be what was meant. */
  readonly unknown: readonly string[];
  /** Parameters whose value is a bare word: it may be a name or mean something else. */
  readonly guessed: readonly { readonly parameter: Parameter; readonly part: GoalPart }[];
  /** Values that the goal does not spell out, with their sources. */
  readonly taken: readonly string[];
}

/** Words for the objects of tools; the description of a tool has others, which may narrow the meaning. */
const OBJECTS: ReadonlySet<string> = new Set(
  'workspace program command fact message conversation entry document'.split(' ').map(stem),
);

/** Fills a tool's parameters from a goal and from earlier steps. Uses each value once; invents none. */
export function fillParameters(goal: Goal, tool: ReadableTool, earlier?: EarlierSteps): FilledParameters {
  return new Filling(goal, tool, earlier).result();
}

class Filling {
  readonly #goal: Goal;
  readonly #earlier: EarlierSteps | undefined;
  readonly #parameters: readonly Parameter[];
  /** The unused parts. */
  readonly #free: Set<GoalPart>;
  readonly #used = new Set<GoalPart>();
  readonly #taken: string[] = [];
  readonly #guessed: { parameter: Parameter; part: GoalPart }[] = [];
  readonly #unsaid: readonly GoalPart[];

  constructor(goal: Goal, tool: ReadableTool, earlier: EarlierSteps | undefined) {
    this.#goal = goal;
    this.#earlier = earlier;
    this.#parameters = parametersOf(tool);
    const names = this.#parameters.map(({ name }) => name).join(' ');
    const vocabulary = new Set(tokenise(`${tool.name} ${tool.description} ${names}`));
    const verb = goal.parts.find(({ kind, text }) => kind === 'word' && text.toLowerCase() === goal.verb);
    const actsOnOne = !tool.annotations.readOnly || this.#has((one) => one.role === 'path' && one.required);
    const idle = (part: GoalPart): boolean => {
      if (isQuantifier(part.text)) return !actsOnOne;
      const known = part.after === undefined && vocabulary.has(stem(part.text.toLowerCase()));
      return part === verb || known || isIdleForTools(part.text);
    };
    this.#free = new Set(goal.parts.filter((part) => isValue(part) || !idle(part)));
    const objects = new Set([...OBJECTS, ...tokenise(`${tool.name} ${names}`)]);
    const takesTime = this.#has(({ name }) => /(?:^|_)seconds$/.test(name));
    this.#unsaid = goal.parts.filter((part) => {
      if (part.kind !== 'word' || part === verb || objects.has(stem(part.text.toLowerCase()))) return false;
      const isUnit = secondsOf('1', part.text) !== undefined;
      return isUnit ? !takesTime : !isIdleForTools(part.text);
    });
  }

  result(): FilledParameters {
    const input: { [name: string]: Json } = {};
    const inOrder = [...this.#parameters].sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role));
    for (const parameter of inOrder) {
      const value = this.#take(parameter);
      if (value !== undefined) input[parameter.name] = value;
    }
    const missing = this.#parameters.filter(({ name, required }) => required && input[name] === undefined);
    const unknown = this.#unsaid.filter((part) => !this.#used.has(part)).map(({ text }) => text);
    return {
      input,
      missing,
      unplaced: this.#unplaced(),
      unknown,
      guessed: this.#guessed,
      taken: this.#taken,
    };
  }

  #take(parameter: Parameter): Json | undefined {
    switch (parameter.role) {
      case 'url':
        return this.#use(({ kind }) => kind === 'url') ?? this.#use(isTemplate) ?? this.#ofLastStep('url');
      case 'date':
        return this.#use(({ kind }) => kind === 'date')?.replace(/^\d{4}-\d{2}-\d{2}$/, '$&T00:00:00Z');
      case 'number':
        return this.#number(parameter);
      case 'choice':
        return this.#choice(parameter);
      case 'arguments':
        return this.#use(({ kind }) => kind === 'quoted')
          ?.split(/\s+/)
          .filter((word) => word !== '');
      case 'name':
        return this.#named(parameter);
      case 'target':
        return this.#target(parameter);
      case 'path':
        return this.#path(parameter);
      case 'content':
        return this.#content(parameter);
      case 'query':
        return this.#use(({ kind }) => kind === 'quoted') ?? this.#subject(parameter);
      case 'flag':
      case 'structure':
        return undefined;
    }
  }

  /** A number next to the parameter's name or a unit of time, or the only number when one is required. */
  #number({ name, required }: Parameter): number | undefined {
    const numbers = [...this.#free].filter(({ kind }) => kind === 'number');
    for (const part of numbers) {
      const [before, after] = this.#neighbours(part);
      const named = [before, after].find((word) => isCalled(word, name));
      const seconds = /(?:^|_)seconds$/.test(name) ? secondsOf(part.text, after?.text) : undefined;
      if (!named && seconds === undefined) continue;
      for (const used of [part, named ?? after]) if (used) this.#mark(used);
      return seconds ?? Number(part.text);
    }
    if (!required || numbers.length !== 1) return undefined;
    return Number(this.#use((part) => part === numbers[0]));
  }

  #choice({ choices }: Parameter): string | undefined {
    const choiceIn = ({ text }: GoalPart): string | undefined =>
      choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
    const said = [...this.#free].find((part) => choiceIn(part) !== undefined);
    if (said) this.#mark(said);
    return said && choiceIn(said);
  }

  /** The value after the parameter's name. */
  #named({ name }: Parameter): string | undefined {
    const found = [...this.#free].find((part) => isCalled(this.#neighbours(part)[0], name));
    const [before] = found ? this.#neighbours(found) : [];
    if (before) this.#mark(before);
    return this.#use((part) => part === found);
  }

  #target(parameter: Parameter): string | undefined {
    const towards = ({ after = '' }: GoalPart): boolean => TOWARDS.has(after);
    return (
      this.#place((part) => towards(part) && isValue(part)) ??
      this.#guess(parameter, (part) => towards(part) && isName(part))
    );
  }

  /** A path by its form first; a quoted text or a word only in the position of a path. */
  #path(parameter: Parameter): string | undefined {
    const { target } = this.#goal;
    const hasTarget = this.#has(({ role }) => role === 'target');
    const takesQuery = this.#has(({ role }) => role === 'query');
    const takesText = takesQuery || this.#has(({ role }) => role === 'content');
    const free = (part: GoalPart): boolean => !hasTarget || !TOWARDS.has(part.after ?? '');
    // "how to configure hooks" does not name a place.
    const placed = ({ after = '' }: GoalPart): boolean =>
      PLACES.has(after) ||
      (!takesQuery && !hasTarget && TOWARDS.has(after)) ||
      (!takesQuery && after === 'of');
    return (
      this.#place((part) => !hasTarget && part === target && isValue(part)) ??
      this.#place((part) => part.kind === 'path' && free(part)) ??
      this.#place((part) => part.kind === 'quoted' && free(part) && (placed(part) || !takesText)) ??
      this.#word(parameter, (part) => placed(part) && isName(part)) ??
      (takesQuery ? this.#wordBeforeFor(parameter) : undefined) ??
      (takesText ? undefined : (this.#ofLastStep('path') ?? this.#onlyWord(parameter)))
    );
  }

  /** "search notes for pump" searches in notes; "find a recipe for cake" does not. */
  #wordBeforeFor(parameter: Parameter): string | undefined {
    const { parts, verb } = this.#goal;
    if (verb !== 'search' && verb !== 'grep') return undefined;
    const link = parts.findIndex(({ kind, text }) => kind === 'word' && text.toLowerCase() === 'for');
    const names = parts.slice(0, Math.max(link, 0)).filter((part) => this.#free.has(part) && isName(part));
    return names.length === 1 ? this.#word(parameter, (part) => part === names[0]) : undefined;
  }

  /** A quoted text, or the output of an earlier step, even if the goal does not mention it. */
  #content({ name, required }: Parameter): string | undefined {
    const said = this.#use(({ kind }) => kind === 'quoted');
    const last = this.#earlier?.text();
    if (said !== undefined || last === undefined) return said;
    for (const part of this.#goal.parts.filter(({ kind }) => kind === 'word')) {
      const named = isPronoun(part.text) ? last : this.#earlier?.named(part.text);
      if (named === undefined) continue;
      this.#mark(part);
      this.#taken.push(`${name} is "${part.text}" of an earlier step`);
      return named;
    }
    if (!required || [...this.#free].some(({ kind }) => kind === 'word')) return undefined;
    this.#taken.push(`${name} is the output of the previous step, because the goal names nothing else`);
    return last;
  }

  /** The words after "for" or "about"; else every unused name. */
  #subject(parameter: Parameter): string | undefined {
    const subject = subjectOf(this.#goal, (part) => this.#used.has(part));
    const words = subject ?? [...this.#free].filter(isName);
    for (const part of words) {
      this.#mark(part);
      if (!subject) this.#guessed.push({ parameter, part });
    }
    return words.length === 0 ? undefined : words.map(({ text, said }) => said ?? text).join(' ');
  }

  /** A field of the last step's output, where the goal says "it". */
  #ofLastStep(field: string): string | undefined {
    const pronoun = this.#goal.parts.find(
      ({ kind, text }) => kind === 'word' && THAT_ONE.has(text.toLowerCase()),
    );
    const template = pronoun && this.#earlier?.field(field);
    if (pronoun && template !== undefined) {
      this.#mark(pronoun);
      this.#taken.push(`${field} is that of the previous step`);
    }
    return template;
  }

  #onlyWord(parameter: Parameter): string | undefined {
    const words = [...this.#free].filter(isName);
    return words.length === 1 ? this.#word(parameter, (part) => part === words[0]) : undefined;
  }

  /** A bare word as a path; noted, because it is less certain than a path. */
  #word(parameter: Parameter, fits: (part: GoalPart) => boolean): string | undefined {
    const word = this.#guess(parameter, fits);
    if (word !== undefined) this.#taken.push(`the word "${word}" is used as a path`);
    return word;
  }

  #guess(parameter: Parameter, fits: (part: GoalPart) => boolean): string | undefined {
    const part = [...this.#free].find(fits);
    if (part) this.#guessed.push({ parameter, part });
    return this.#use((one) => one === part);
  }

  /** A value as a path. Addresses and templates are unchanged. */
  #place(fits: (part: GoalPart) => boolean): string | undefined {
    const text = this.#use(fits);
    return text === undefined || /:\/\/|\{\{/.test(text) ? text : tidyPath(text);
  }

  /** Values without a parameter, and words after the last used value: they could change the meaning. */
  #unplaced(): string[] {
    const { parts } = this.#goal;
    const lastUsed = parts.findLastIndex((part) => isValue(part) && this.#used.has(part));
    const changesMeaning = (part: GoalPart): boolean =>
      isValue(part) || isQuantifier(part.text) || (parts.indexOf(part) > lastUsed && !isPronoun(part.text));
    return [...this.#free].filter(changesMeaning).map(({ text }) => text);
  }

  #has(fits: (parameter: Parameter) => boolean): boolean {
    return this.#parameters.some(fits);
  }

  #use(fits: (part: GoalPart) => boolean): string | undefined {
    const part = [...this.#free].find(fits);
    if (part) this.#mark(part);
    return part?.text;
  }

  #mark(part: GoalPart): void {
    this.#free.delete(part);
    this.#used.add(part);
  }

  #neighbours(part: GoalPart): readonly [GoalPart | undefined, GoalPart | undefined] {
    const at = this.#goal.parts.indexOf(part);
    return [this.#goal.parts[at - 1], this.#goal.parts[at + 1]];
  }
}

function isCalled(part: GoalPart | undefined, name: string): boolean {
  return part?.kind === 'word' && stem(part.text.toLowerCase()) === stem(name.toLowerCase());
}
