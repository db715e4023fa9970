import type { Evidence } from '../../engine/index.ts';
import type { Json } from '../../kernel/index.ts';
import type { ModelAnswer } from '../../models/index.ts';

/** A call that a model asked for. */
export interface AskedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
}

/** What a model said in one turn, as it stands on record. */
export interface Said {
  readonly text: string;
  readonly calls: readonly AskedCall[];
  readonly finish: ModelAnswer['finish'];
}

/** A turn: what the model said, and what became of the calls it asked for, in their order. */
export interface Turn {
  readonly step: number;
  readonly said: Said;
  readonly facts: readonly Evidence[];
}

export function toSaid({ text, toolCalls, finish }: ModelAnswer): Said {
  return { text, calls: toolCalls.map(({ id, tool, input }) => ({ id, tool, input })), finish };
}

/** What an agent has gone through, told by turns; what came before the first is apart. */
export function readTurns(evidence: readonly Evidence[]): {
  readonly before: readonly Evidence[];
  readonly turns: readonly Turn[];
} {
  const before: Evidence[] = [];
  const turns: { step: number; said: Said; facts: Evidence[] }[] = [];
  for (const fact of evidence) {
    if (fact.source === 'model')
      turns.push({ step: fact.step, said: fact.output as unknown as Said, facts: [] });
    else (turns.at(-1)?.facts ?? before).push(fact);
  }
  return { before, turns };
}

/** What answers a turn's calls: results of tools and the words of people. Other facts are told beside them. */
export function answersIn({ facts }: Turn): readonly Evidence[] {
  return facts.filter(({ source }) => source === 'tool' || source === 'person');
}
