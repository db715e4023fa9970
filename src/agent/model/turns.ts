import type { Evidence } from '../../engine/index.ts';
import type { Json } from '../../kernel/index.ts';
import type { ModelAnswer } from '../../models/index.ts';

export interface RequestedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
}

/** The recorded answer of a model in one turn. */
export interface TurnAnswer {
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  /** Earlier versions recorded unfinished answers too. */
  readonly finish: ModelAnswer['finish'] | 'length' | 'refused';
}

/** The answer of a model, and the evidence of the calls that it requested, in order. */
export interface Turn {
  readonly step: number;
  readonly answer: TurnAnswer;
  readonly facts: readonly Evidence[];
}

export function toTurnAnswer({ text, toolCalls, finish }: ModelAnswer): TurnAnswer {
  return { text, calls: toolCalls.map(({ id, tool, input }) => ({ id, tool, input })), finish };
}

/** Groups evidence by turns; `before` is the evidence before the first turn. */
export function readTurns(evidence: readonly Evidence[]): {
  readonly before: readonly Evidence[];
  readonly turns: readonly Turn[];
} {
  const before: Evidence[] = [];
  const turns: { step: number; answer: TurnAnswer; facts: Evidence[] }[] = [];
  for (const fact of evidence) {
    if (fact.source === 'model')
      turns.push({ step: fact.step, answer: fact.output as unknown as TurnAnswer, facts: [] });
    else (turns.at(-1)?.facts ?? before).push(fact);
  }
  return { before, turns };
}

/** The answers to a turn's calls: results of tools and answers of people. */
export function answersIn({ facts }: Turn): readonly Evidence[] {
  return facts.filter(({ source }) => source === 'tool' || source === 'person');
}
