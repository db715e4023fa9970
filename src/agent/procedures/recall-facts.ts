import type { PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import type { Goal } from '../../language/index.ts';
import { plainLine } from '../describe-text.ts';
import { call, callsOf, failWith } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { code, count, more } from './markdown-text.ts';
import { dayOf, factsWith, type RememberedFact, subjectStems } from './memory-words.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';

interface RecallParameters extends ReportParameters {
  /** What the facts must be about; all facts without it. */
  readonly about?: string | undefined;
}

const MAX_SHOWN = 100;
const MAX_HITS = 50;
const POLITE = String.raw`^\s*(?:(?:please|hey|oka|can you|could you|would you|tell me|show me|list|so|and)[\s,]+)*`;
const END = String.raw`\s*[?.!]*\s*$`;
const ALL = new RegExp(
  `${POLITE}(?:(?:list|show|print|display)\\s+)?(?:me\\s+)?(?:all\\s+|everything\\s+)?(?:what(?:ever)?\\s+(?:do\\s+)?(?:you|oka)\\s+(?:remembers?|knows?)(?:\\s+about\\s+(?:me|us))?|(?:that\\s+)?you\\s+(?:remember|know)(?:\\s+about\\s+(?:me|us))?|what\\s+(?:is|do you have)\\s+in\\s+(?:your\\s+)?memory|(?:the\\s+|my\\s+|your\\s+)?(?:remembered\\s+)?(?:facts|memories|memory)(?:\\s+(?:that\\s+)?you\\s+(?:remember|know))?|what\\s+(?:have\\s+you\\s+remembered|did\\s+i\\s+(?:ask|tell)\\s+you(?:\\s+to\\s+remember)?))${END}`,
  'iu',
);
const ABOUT = new RegExp(
  `${POLITE}(?:what(?:ever)?\\s+(?:do\\s+)?you\\s+(?:remember|know)\\s+(?:about|of)|do\\s+you\\s+(?:remember|know)(?:\\s+(?:anything|something))?(?:\\s+(?:about|of))?|what\\s+did\\s+(?:i|we)\\s+(?:say|tell\\s+you|ask\\s+you\\s+to\\s+remember)\\s+about|what\\s+have\\s+(?:i|we)\\s+(?:said|told\\s+you)\\s+about|everything\\s+you\\s+(?:remember|know)\\s+about|(?:the\\s+)?facts\\s+about|recall)\\s+(?<about>[\\s\\S]+?)${END}`,
  'iu',
);
/** A question about the person who asks. */
const OWN = new RegExp(
  `${POLITE}(?<about>(?:what|which|who|where|when)(?:['’]s)?\\s(?=[\\s\\S]*\\b(?:my|our|i|we)\\b)[\\s\\S]+?)${END}`,
  'iu',
);
/** Words of questions about files, runs and schedules, which memory does not answer. */
const OTHER_SUBJECTS =
  /\b(?:files?|folders?|director(?:y|ies)|disk|space|projects?|git|repo(?:sitory)?|branch(?:es)?|commits?|commit(?:ted)?|tests?|remind(?:ers?)?|todos?|fixmes?|links?|photos?|images?|pictures?|documents?|docs?|downloads?|notes?|size|sizes|large(?:st)?|big(?:gest)?|newest|oldest|recent(?:ly)?|latest|last|chang(?:e|ed|es)|modified|edited|wrote|written|duplicates?|cop(?:y|ies)|tables?|columns?|rows?|csv|json|lines?|code|runs?|schedules?|agents?|models?|costs?|tasks?|should|can|could|would|will|shall|must|tomorrow|today|weather|news|stock|price)\b|[\w-]\.\w|\//i;

/** Answers from remembered facts, and says so when there is none. */
export const recallFacts: Procedure = reportProcedure<RecallParameters>({
  name: 'recall-facts',
  description: 'Answers from remembered facts: about a subject, or all of them.',
  example: 'what do you remember about vim?',
  triggers: [],
  tools: ['memory.recall', 'memory.facts'],
  understand,
  look(input, { about }) {
    const tool = about === undefined ? 'memory.facts' : 'memory.recall';
    const [made] = callsOf(input, tool);
    if (made?.failure) return failWith(made);
    if (made) return undefined;
    const asked = about === undefined ? {} : { query: about, limit: MAX_HITS };
    return call(tool, asked, 'remembered facts answer the goal, or nothing does');
  },
  report,
});

function understand({ text }: Goal): { said: string; parameters: RecallParameters } | undefined {
  if (ALL.test(text)) return { said: 'remember', parameters: {} };
  const about = ABOUT.exec(text)?.groups?.['about'];
  const own = OTHER_SUBJECTS.test(text) ? undefined : OWN.exec(text)?.groups?.['about'];
  const asked = about ?? own;
  if (asked === undefined || subjectStems(asked).length === 0) return undefined;
  // "do you know how to …" asks for an ability.
  if (about !== undefined && /^(?:how|why|if|whether|to)\b/i.test(about)) return undefined;
  return { said: 'remember', parameters: { about: asked } };
}

function report(input: PlanInput, { about }: RecallParameters): Report {
  const { facts: all, truncated } = asObject(callsOf(input, 'memory.facts')[0]?.output);
  const recall = callsOf(input, 'memory.recall')[0];
  const words = subjectStems(about ?? '');
  const found =
    about === undefined
      ? ((Array.isArray(all) ? all : []) as unknown as RememberedFact[])
      : factsWith(recall, words);
  const shown = found.slice(0, MAX_SHOWN);
  const subject = about === undefined ? '' : ` about ${code(plainLine(about, 80))}`;
  const [first] = found;
  const answer =
    first === undefined
      ? `Nothing is remembered${subject}. To store something: oka do "remember that …"`
      : found.length === 1
        ? `${first.text} (remembered on ${dayOf(first.at)}${unconfirmed(first)})`
        : `${count(found.length, 'fact')} remembered${subject}, the newest first.`;
  return {
    title: about === undefined ? 'Remembered facts' : 'From memory',
    answer: plainLine(answer, 2_000),
    sections: [
      {
        title: 'Facts',
        lines:
          found.length < 2 && about !== undefined
            ? []
            : [
                ...shown.map(
                  (fact) => `- ${plainLine(fact.text, 400)} (${dayOf(fact.at)}${unconfirmed(fact)})`,
                ),
                ...more(found.length - shown.length, 'fact'),
              ],
      },
    ],
    facts: {
      ...(about === undefined ? {} : { about }),
      known: found.length > 0,
      facts: shown.slice(0, 50).map(({ id, text }) => ({ id, text: plainLine(text, 400) })),
    },
    leftOut: truncated === true ? ['older facts; see: oka memory fact list'] : [],
    checks: [
      {
        check: 'memory was asked',
        holds: (recall ?? callsOf(input, 'memory.facts')[0])?.output !== undefined,
      },
    ],
  };
}

function unconfirmed({ untrusted }: RememberedFact): string {
  return untrusted ? ', not confirmed' : '';
}
