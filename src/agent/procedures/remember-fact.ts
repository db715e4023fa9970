import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { call, callsOf, failWith, isWithheld } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { code } from './markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';

interface RememberParameters extends ReportParameters {
  /** The fact, exactly as it was said. */
  readonly text: string;
}

const POLITE = String.raw`^\s*(?:(?:please|kindly|hey|oka|can you|could you|would you|i want you to|i'd like you to)[\s,]+)*`;
const ASKED = new RegExp(
  `${POLITE}(?:(?:remember|memori[sz]e|keep in mind|bear in mind|don['’]?t forget|do not forget|take note|make a note|note)(?:\\s+(?:the following|this))?(?:\\s*:\\s*|\\s+that\\s+)|remember\\s+)(?<fact>[\\s\\S]+?)\\s*$`,
  'iu',
);
/** Beginnings that make it something other than a statement. */
const NO_STATEMENT =
  /^(?:to|how|what|whatever|when|where|who|why|whether|if|which|me|us|it|this|that|them|everything|all|anything|something|about|for|in|and)\b/i;
/** A second step after the statement; the goal is then split. */
const SECOND_STEP =
  /(?:\band\b|\bthen\b|[,;])\s+(?:(?:then|also|please|and)\s+)*(?:list|show|find|search|write|create|make|delete|remove|run|summari[sz]e|count|check|collect|compare|copy|move|rename|open|read|save|convert|tell|remind|forget|remember|send|fetch|brief|describe)\b/i;

/** Without "that" or a colon, only a sentence with one of these is a fact: "remember the milk" is not. */
const HAS_VERB =
  /(?:\b(?:is|are|was|were|am|has|have|had|lives?|likes?|needs?|uses?|prefers?|works?|costs?|starts?|ends?|means?|wants?|owns?|speaks?)\b|['’]s\b)/i;

/** Stores one fact. */
export const rememberFact: Procedure = reportProcedure<RememberParameters>({
  name: 'remember-fact',
  description: 'Remembers a fact, exactly as it is said, for later runs.',
  example: 'remember that my editor is vim',
  triggers: [],
  tools: ['memory.remember', 'memory.recall'],
  understand({ text }) {
    const said = ASKED.exec(text)?.groups?.['fact'] ?? '';
    const fact = said.replace(/^["“](.*)["”]$/su, '$1').replace(/\s*[.!]+$/, '');
    const isStatement = fact.split(/\s+/).length > 1 && !NO_STATEMENT.test(fact) && !fact.endsWith('?');
    const isMarked = /^.*?(?:\bthat\b|:)/i.test(text.slice(0, text.indexOf(said)));
    if (!isStatement || SECOND_STEP.test(fact) || !(isMarked || HAS_VERB.test(fact))) return undefined;
    return { said: 'remember', parameters: { text: fact } };
  },
  look: () => undefined,
  effect(input, { text }): Decision | undefined {
    const [made] = callsOf(input, 'memory.remember');
    if (made?.failure) return failWith(made);
    return made ? undefined : call('memory.remember', { text }, 'the goal states the fact');
  },
  verify(input, { text }): Decision | undefined {
    const [read] = callsOf(input, 'memory.recall');
    if (read?.failure) return failWith(read);
    if (read || isHeld(input) || isWithheld(callsOf(input, 'memory.remember')[0])) return undefined;
    return call('memory.recall', { query: text, limit: 20 }, 'it is read back');
  },
  report,
});

/** Whether the fact waits for a person, because the run had read untrusted content. */
function isHeld(input: PlanInput): boolean {
  return asObject(callsOf(input, 'memory.remember')[0]?.output)['untrusted'] === true;
}

function report(input: PlanInput, { text }: RememberParameters): Report {
  const [made] = callsOf(input, 'memory.remember');
  const { id = null, outcome = null } = asObject(made?.output);
  const { hits } = asObject(callsOf(input, 'memory.recall')[0]?.output);
  const found = (Array.isArray(hits) ? hits.map(asObject) : []).some((hit) => hit['id'] === id);
  const held = isHeld(input);
  const done = isWithheld(made)
    ? 'Would be remembered'
    : outcome === 'added'
      ? 'Remembered'
      : 'Known already';
  return {
    title: 'Remembered',
    answer: held ? `${code(text)} waits for your review: oka memory review` : `${done}: ${code(text)}.`,
    sections: [],
    facts: { text, id, outcome },
    leftOut: [],
    checks: [{ check: 'the fact is in memory', holds: held || found || isWithheld(made) }],
  };
}
