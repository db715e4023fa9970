import type { Json } from '../../kernel/index.ts';
import { stem, tokenise } from '../../retrieval/index.ts';
import { isPronoun, namedTemplate, type Output, textTemplate } from './outputs.ts';
import { type Parameter, type ParameterRole, parametersOf } from './parameters.ts';
import { isValue, type Token } from './read-intent.ts';
import {
  FILLERS,
  isName,
  LINKS,
  linked,
  type Part,
  PLACES,
  QUANTIFIERS,
  SUBJECTS,
  secondsOf,
  THAT_ONE,
  TOWARDS,
} from './step-parts.ts';
import type { BuildTool } from './types.ts';

/** What a step says about a tool's arguments. */
export interface FilledArguments {
  readonly args: { readonly [name: string]: Json };
  /** Required parameters that nothing was said about. */
  readonly missing: readonly Parameter[];
  /** What was said and has no place. */
  readonly unplaced: readonly string[];
  /** What was taken from earlier steps, in words. */
  readonly taken: readonly string[];
}

/** Values that can be told by their form go first; words are left for last. */
const ORDER: readonly ParameterRole[] = [
  'url',
  'date',
  'number',
  'choice',
  'arguments',
  'name',
  'target',
  'path',
  'content',
  'query',
  'other',
];

/** Takes values for a tool's parameters from a step and from what earlier steps leave. Each value is used once. */
export function fillArguments(
  tokens: readonly Token[],
  tool: BuildTool,
  outputs: readonly Output[],
): FilledArguments {
  return new Filling(tokens, tool, outputs).result();
}

class Filling {
  readonly #parts: readonly Part[];
  readonly #free: Set<Part>;
  readonly #parameters: readonly Parameter[];
  readonly #outputs: readonly Output[];
  readonly #vocabulary: ReadonlySet<string>;
  readonly #doesOne: boolean;
  readonly #taken: string[] = [];

  constructor(tokens: readonly Token[], tool: BuildTool, outputs: readonly Output[]) {
    this.#parameters = [...parametersOf(tool.inputSchema)].sort(
      (a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role),
    );
    const names = this.#parameters.map(({ name }) => name).join(' ');
    this.#vocabulary = new Set(tokenise(`${tool.name} ${tool.description} ${names}`));
    this.#outputs = outputs;
    this.#doesOne =
      !tool.annotations.readOnly ||
      this.#parameters.some(({ role, required }) => role === 'path' && required);
    this.#parts = linked(tokens.filter(({ kind }) => kind !== 'comma'));
    this.#free = new Set(this.#parts.filter((part) => isValue(part) || !this.#isEmpty(part)));
  }

  result(): FilledArguments {
    const args: { [name: string]: Json } = {};
    for (const parameter of this.#parameters) {
      const value = this.#take(parameter);
      if (value !== undefined) args[parameter.name] = value;
    }
    const missing = this.#parameters.filter(({ name, required }) => required && args[name] === undefined);
    return { args, missing, unplaced: this.#unplaced(), taken: this.#taken };
  }

  #take(parameter: Parameter): Json | undefined {
    switch (parameter.role) {
      case 'url':
        return this.#use((part) => part.kind === 'url') ?? this.#template() ?? this.#earlier('url');
      case 'date':
        return this.#use((part) => part.kind === 'date');
      case 'number':
        return this.#number(parameter);
      case 'choice':
        return this.#choice(parameter);
      case 'arguments':
        return this.#use(({ kind }) => kind === 'quoted')
          ?.split(/\s+/)
          .filter((word) => word !== '');
      case 'name':
        return this.#use((part) => stem(this.#before(part)) === stem(parameter.name.toLowerCase()));
      case 'target':
        return (
          this.#use((part) => TOWARDS.has(part.after ?? '') && isValue(part)) ??
          this.#use((part) => TOWARDS.has(part.after ?? '') && isName(part))
        );
      case 'path':
        return this.#path();
      case 'content':
        return this.#content(parameter);
      case 'query':
        return this.#use(({ kind }) => kind === 'quoted') ?? this.#template() ?? this.#subject();
      case 'other':
        return undefined;
    }
  }

  #path(): string | undefined {
    const goesOn = this.#parameters.some(({ role }) => role === 'target');
    const takesText = this.#parameters.some(({ role }) => role === 'content' || role === 'query');
    const elsewhere = ({ after = '' }: Part): boolean => goesOn && TOWARDS.has(after);
    const placed = ({ after = '' }: Part): boolean => PLACES.has(after) || (!goesOn && TOWARDS.has(after));
    return (
      this.#use((part) => part.kind === 'path' && !elsewhere(part)) ??
      this.#use((part) => part.kind === 'quoted' && !elsewhere(part) && (placed(part) || !takesText)) ??
      this.#word((part) => isName(part) && placed(part)) ??
      (takesText ? undefined : (this.#template() ?? this.#earlier('path') ?? this.#onlyWord()))
    );
  }

  /** A quoted text, a template, or what an earlier step leaves; that also when nothing is said at all. */
  #content({ name, required }: Parameter): string | undefined {
    const said = this.#use(({ kind }) => kind === 'quoted') ?? this.#template();
    if (said !== undefined) return said;
    const last = this.#outputs.at(-1);
    if (!last) return undefined;
    for (const part of this.#parts.filter(({ kind }) => kind === 'word')) {
      const named = isPronoun(part.text) ? undefined : namedTemplate(part.text, this.#outputs, true);
      if (!named && !isPronoun(part.text)) continue;
      this.#free.delete(part);
      this.#taken.push(`${name} is "${part.text}" of an earlier step`);
      return named ?? textTemplate(last);
    }
    if (!required || [...this.#free].some(({ kind }) => kind === 'word')) return undefined;
    this.#taken.push(`${name} is what the step before gave, because nothing else was said`);
    return textTemplate(last);
  }

  #onlyWord(): string | undefined {
    const words = [...this.#free].filter(isName);
    return words.length === 1 ? this.#word((part) => part === words[0]) : undefined;
  }

  /** A bare word as a place; said aloud, because it is less sure than a path. */
  #word(fits: (part: Part) => boolean): string | undefined {
    const word = this.#use(fits);
    if (word !== undefined) this.#taken.push(`the word "${word}" is taken for a path`);
    return word;
  }

  #earlier(field: string): string | undefined {
    const pronoun = this.#parts.find(({ kind, text }) => kind === 'word' && THAT_ONE.has(text.toLowerCase()));
    const template = pronoun ? namedTemplate(field, this.#outputs.slice(-1), false) : undefined;
    if (pronoun && template) {
      this.#free.delete(pronoun);
      this.#taken.push(`${field} is that of the step before`);
    }
    return template;
  }

  #number({ name, required }: Parameter): number | undefined {
    const numbers = [...this.#free].filter(({ kind }) => kind === 'number');
    for (const part of numbers) {
      const [before, after] = [this.#before(part), this.#after(part)];
      const named = [before, after].some((word) => word !== '' && stem(word) === stem(name.toLowerCase()));
      const seconds = /(?:^|_)seconds$/.test(name) ? secondsOf(part.text, after) : undefined;
      if (!named && seconds === undefined) continue;
      this.#free.delete(part);
      return seconds ?? Number(part.text);
    }
    if (!required || numbers.length !== 1) return undefined;
    return Number(this.#use((part) => part === numbers[0]));
  }

  #choice({ choices }: Parameter): string | undefined {
    const said = this.#use((part) =>
      choices.some((choice) => choice.toLowerCase() === part.text.toLowerCase()),
    );
    return choices.find((choice) => choice.toLowerCase() === said?.toLowerCase());
  }

  #template(): string | undefined {
    return this.#use(({ kind }) => kind === 'template');
  }

  /** The words after "for" or "about" up to the next place; else every word that is left. */
  #subject(): string | undefined {
    const start = this.#parts.findIndex(
      ({ kind, text }) => kind === 'word' && SUBJECTS.has(text.toLowerCase()),
    );
    const rest = start < 0 ? [...this.#free] : this.#parts.slice(start + 1);
    const words: Part[] = [];
    for (const part of rest) {
      if (part.kind !== 'word' || PLACES.has(part.text.toLowerCase())) break;
      if (words.length > 0 || !FILLERS.has(part.text.toLowerCase())) words.push(part);
    }
    for (const part of words) this.#free.delete(part);
    return words.length === 0 ? undefined : words.map(({ text }) => text).join(' ');
  }

  /** Values that found no place, and words after the last value that was used: they would change what is meant. */
  #unplaced(): string[] {
    const lastUsed = this.#parts.findLastIndex((part) => isValue(part) && !this.#free.has(part));
    return [...this.#free]
      .filter((part) => {
        if (isValue(part) || QUANTIFIERS.has(part.text.toLowerCase())) return true;
        return this.#parts.indexOf(part) > lastUsed && !isPronoun(part.text);
      })
      .map(({ text }) => text);
  }

  #isEmpty(part: Part): boolean {
    const word = part.text.toLowerCase();
    if (QUANTIFIERS.has(word)) return !this.#doesOne;
    const known = part.after === undefined && this.#vocabulary.has(stem(word));
    return (
      LINKS.has(word) || FILLERS.has(word) || known || word === 'and' || secondsOf('1', word) !== undefined
    );
  }

  #use(fits: (part: Part) => boolean): string | undefined {
    const part = [...this.#free].find(fits);
    if (part) this.#free.delete(part);
    return part?.text;
  }

  #before(part: Part): string {
    return this.#parts[this.#parts.indexOf(part) - 1]?.text.toLowerCase() ?? '';
  }

  #after(part: Part): string {
    return this.#parts[this.#parts.indexOf(part) + 1]?.text.toLowerCase() ?? '';
  }
}
