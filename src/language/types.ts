import type { JsonObject } from '../kernel/index.ts';

/** A value has its literal text; a word has its original spelling. */
type PartKind = 'word' | 'quoted' | 'path' | 'url' | 'number' | 'date';

/** A piece of a text: a word, a value, or the end of a clause (`comma`) or sentence (`stop`). */
export interface Token {
  readonly kind: PartKind | 'comma' | 'stop';
  readonly text: string;
  /** Where it starts and ends in the text that was read. */
  readonly start: number;
  readonly end: number;
  /** The original words, if `text` replaces them. */
  readonly said?: string;
}

/** A word or value of a goal. */
export interface GoalPart {
  readonly kind: PartKind;
  readonly text: string;
  /** The original words, if `text` replaces them: "ten" for 10. */
  readonly said?: string;
  /** The preposition before, such as `to`, `in` or `for`; articles and words like "the file" between do not count. */
  readonly after?: string;
}

/** A goal or one step of it, as far as it can be read without a model. */
export interface Goal {
  readonly text: string;
  readonly parts: readonly GoalPart[];
  /** The verb, in lower case: the first word that is not a polite phrase. */
  readonly verb?: string;
  /** The target of the result: the value after `to`, `into` or `as`. */
  readonly target?: GoalPart;
}

/** The facts about a tool that goals are read with. */
export interface ReadableTool {
  readonly name: string;
  readonly description: string;
  readonly annotations: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly risk: 'none' | 'low' | 'medium' | 'high' | 'critical';
  };
  readonly sideEffect: 'read' | 'write_local' | 'external_mutation';
  readonly input: { json(): JsonObject };
}

/** The outputs of earlier steps, for words such as "it" or "the matches". Each method returns a template. */
export interface EarlierSteps {
  /** The output of the last step as text. */
  text(): string | undefined;
  /** The output field that a word names, as text; the latest step first. */
  named(word: string): string | undefined;
  /** A field of the last step's output. */
  field(name: string): string | undefined;
}
