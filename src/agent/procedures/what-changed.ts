import type { PlanInput } from '../../engine/index.ts';
import { call, callsOf, fail, failWith } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { code, count, sizeText } from './markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';
import { bounded, notIncluded, surveyOf } from './survey-step.ts';

interface ChangedParameters extends ReportParameters {
  readonly folder: string;
  /** A period such as "since Monday". */
  readonly period: string;
}

const ASKED =
  /^\s*(?:(?:please|hey|oka|can you|could you|tell me|show me|show|list)[\s,]+)*(?:what(?:['’]s|\s+is|\s+has|\s+have|\s+did)?(?:\s+(?:i|we))?\s+(?:changed|change|changes|new|modified|edited|been\s+(?:changed|modified))|(?:the\s+)?changes)(?:\s+(?:here|in\s+(?:this|the)\s+(?:folder|project|workspace)|in\s+(?<folder>[\w./-]*[\w/])))?\s+(?<period>(?:since|after|in the (?:last|past)|during|between|within)\s+\S.*?|today|yesterday|(?:this|last) (?:week|month|year|night))(?:\s+(?:here|in\s+(?:this|the)\s+(?:folder|project|workspace)|in\s+(?<folder2>[\w./-]*[\w/])))?\s*[?.!]*\s*$/iu;

/** Lists the files that changed in a period, by their times. */
export const whatChanged: Procedure = reportProcedure<ChangedParameters>({
  name: 'what-changed',
  description: 'Lists the files that changed since a date, by their times of change.',
  example: 'what changed since Monday?',
  triggers: [],
  tools: ['files.survey'],
  understand({ text }) {
    const found = text.length > 300 ? undefined : ASKED.exec(text)?.groups;
    const { period, folder, folder2 } = found ?? {};
    if (period === undefined || /\b(?:git|commits?|repo)\b/i.test(text)) return undefined;
    return { said: 'changed', parameters: { folder: folder ?? folder2 ?? '.', period } };
  },
  look(input, { folder, period }) {
    const [made] = callsOf(input, 'files.survey');
    if (made === undefined)
      return call(
        'files.survey',
        { path: folder, modified: period, select: { what: 'files', order: 'newest' } },
        'it tells the times of files',
      );
    if (made.failure?.data?.['modified'] !== undefined) {
      const reason = `"${period}" is not a period that Oka knows. Write it as in: what changed since Monday?`;
      return fail('agent.goal_not_understood', reason, 'the words mean no certain period');
    }
    return made.failure ? failWith(made) : undefined;
  },
  report,
});

function report(input: PlanInput, { folder, period }: ChangedParameters): Report {
  const { entries: changed, all, leftOut, outside, period: times } = surveyOf(input, { places: [folder] });
  const where = folder === '.' ? 'this folder' : code(folder);
  const answer = `${changed.length} of ${count(all.files, 'file')} in ${where} changed ${period}, by the times of the files.`;
  return {
    title: 'Changed files',
    answer: bounded(answer, leftOut),
    sections: [
      {
        title: 'Newest first',
        lines: changed.map(
          ({ path, bytes, modified = '' }) =>
            `- ${modified.slice(0, 16).replace('T', ' ')} ${code(path)} (${sizeText(bytes)})`,
        ),
      },
      notIncluded([
        ...outside,
        'deleted files, which have no time; in a git repository ask: what changed in git since …',
      ]),
    ],
    facts: {
      folder,
      period,
      basis: 'file times',
      changed: changed.length,
      files: changed.slice(0, 50).map(({ path }) => path),
    },
    leftOut,
    checks: [
      {
        check: 'every listed file has a time in the period',
        holds: changed.every(({ modified = '' }) => {
          const at = Date.parse(modified);
          return at >= (times?.from ?? 0) && at < (times?.until ?? Number.MAX_SAFE_INTEGER);
        }),
      },
    ],
  };
}
