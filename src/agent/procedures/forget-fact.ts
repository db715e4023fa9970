import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { answerTo, ask, call, callsOf, fail, failWith, isWithheld } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { code } from './markdown-text.ts';
import { factsWith, isSameFact, type RememberedFact, subjectStems } from './memory-words.ts';
import { type ReportParameters, reportProcedure } from './report-procedure.ts';

interface ForgetParameters extends ReportParameters {
  /** The fact, or what it is about. */
  readonly text: string;
}

const MAX_CHOICES = 8;
const NONE = 'none of these';
const QUESTION = 'Which fact shall be erased for good?';
const ASKED =
  /^\s*(?:(?:please|kindly|oka|can you|could you|would you)[\s,]+)*(?:forget|unlearn|delete the fact|erase the fact|remove the fact)\s+(?:(?:the fact\s+)?that\s+|about\s+|the fact\s+|what (?:i|you) (?:said|know|remember) about\s+|everything about\s+)?(?<text>.+?)\s*[.!]*\s*$/isu;

/** Erases one fact: the one with these words exactly, else one that a person chooses. */
export const forgetFact: Procedure = reportProcedure<ForgetParameters>({
  name: 'forget-fact',
  description: 'Erases a remembered fact. Without its exact words it asks which one is meant.',
  example: 'forget that my editor is vim',
  triggers: [],
  tools: ['memory.recall', 'memory.forget'],
  understand({ text }) {
    const said = (ASKED.exec(text)?.groups?.['text'] ?? '').replace(/^["“](.*)["”]$/su, '$1');
    const isVague = /^(?:it|this|that|them|everything|all|anything|me|us|to)\b/i.test(said);
    if (said === '' || isVague || said.endsWith('?') || subjectStems(said).length === 0) return undefined;
    return { said: 'forget', parameters: { text: said } };
  },
  look,
  effect(input, parameters) {
    const [made] = callsOf(input, 'memory.forget');
    if (made?.failure) return failWith(made);
    const id = chosen(input, parameters)?.id ?? '';
    return made ? undefined : call('memory.forget', { id }, 'the goal names the fact to erase');
  },
  report(input, parameters) {
    const fact = chosen(input, parameters);
    const [made] = callsOf(input, 'memory.forget');
    const { id } = asObject(made?.output);
    return {
      title: 'Forgotten',
      answer: `${isWithheld(made) ? 'Would be erased' : 'Erased'} from memory: ${code(fact?.text ?? parameters.text)}. Goals, messages and runs that state it keep it.`,
      sections: [],
      facts: { id: fact?.id ?? null, text: fact?.text ?? null },
      leftOut: [],
      checks: [
        { check: 'the fact was erased', holds: isWithheld(made) || (id !== undefined && id === fact?.id) },
      ],
    };
  },
});

function look(input: PlanInput, parameters: ForgetParameters): Decision | undefined {
  const [recall] = callsOf(input, 'memory.recall');
  if (recall === undefined)
    return call(
      'memory.recall',
      { query: parameters.text, limit: 50 },
      'the fact must be known to be erased',
    );
  if (recall.failure) return failWith(recall);
  if (chosen(input, parameters)) return undefined;
  const near = candidates(input, parameters);
  const answer = answerTo(input, QUESTION);
  if (near.length > 0 && answer === undefined)
    return ask(QUESTION, 'no fact has exactly these words', [...near.map(({ text }) => text), NONE]);
  if (answer !== undefined)
    return fail('agent.not_confirmed', 'Nothing was erased.', 'a person chose none of the facts');
  const reason = `No remembered fact says "${parameters.text}", so nothing was erased. See: oka memory fact list`;
  return fail('agent.not_validated', reason, 'there is no such fact');
}

function candidates(input: PlanInput, { text }: ForgetParameters): RememberedFact[] {
  return factsWith(callsOf(input, 'memory.recall')[0], subjectStems(text)).slice(0, MAX_CHOICES);
}

/** The fact with exactly these words, or the one that a person chose. */
function chosen(input: PlanInput, parameters: ForgetParameters): RememberedFact | undefined {
  const answer = answerTo(input, QUESTION);
  return candidates(input, parameters).find(({ text }) =>
    answer === undefined ? isSameFact(text, parameters.text) : text === answer,
  );
}
