import type { PlanInput } from '../../../engine/index.ts';
import type { Goal } from '../../../language/index.ts';
import { plainLine } from '../../describe-text.ts';
import type { Procedure } from '../../types.ts';
import { readPhrase } from '../goal-phrase.ts';
import { count, groupBy } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from '../report-procedure.ts';
import { markdownLines } from '../tables/write-table.ts';
import { withoutTarget } from './extract-text.ts';
import { linesOf, lookAtFiles, placeText, type TextPlace, takePlace, textsIn } from './text-files.ts';

type Level = 'errors' | 'warnings';

interface LogParameters extends ReportParameters {
  readonly place: TextPlace;
  readonly levels: readonly Level[];
  readonly by?: 'hour' | 'day';
}

interface LogLine {
  readonly level: Level;
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

const LEVEL = '(?:errors?|warnings?|error messages|warning messages|exceptions?|failures)';
const GOAL = new RegExp(
  `^(?:(?:what|which|show|list|find|count|how many|summari[sz]e|are there|any|give|get|collect|extract|print|what are|tell me|see|look for|search for|explain)(?: me)? )?(?:(?:the|all|any|different|unique|every|most common|a summary of|kinds? of|number of) )*(?<levels>${LEVEL}(?: (?:and|or) ${LEVEL})?)(?: (?:lines|entries|messages))?(?: (?:are|is|there|occurred|happened|were|logged|in total|have|has|do we have))*(?: (?:by|per|for each|in each|grouped by) (?<by>hour|day|message))?$`,
  'i',
);
const PATTERNS: Readonly<Record<Level, RegExp>> = {
  errors:
    /\b(?:ERROR|ERR|FATAL|CRITICAL|SEVERE|EMERG|PANIC)\b|\b\w*(?:Error|Exception)\b(?=[:(\s])|\b(?:error|fatal|panic)\b(?=\s*[:\]])|level=(?:error|fatal)|"level":\s*"(?:error|fatal)"/,
  warnings: /\b(?:WARN|WARNING)\b|\bwarn(?:ing)?\b(?=\s*[:\]])|level=warn|"level":\s*"warn/,
};
const LOWER = /\b(?:errors?|failed|exception)\b/i;
const NONE = /\b(?:no|0|zero|without) (?:errors?|warnings?|exceptions?)\b/i;
const TIME = /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?/;
const MAX_SHOWN = 50;

/** Finds the errors or warnings of logs, grouped by message or counted by time. */
export const logErrors: Procedure = reportProcedure<LogParameters>({
  name: 'log-errors',
  description: 'Finds the errors or warnings of a log file, grouped by message, or counted by hour or day.',
  example: 'what errors are in app.log',
  triggers: ['find errors log', 'count errors log', 'list warnings log'],
  vocabulary: { needs: [], also: 'errors warnings exceptions messages occurred happened' },
  tools: ['files.list', 'files.read'],
  understand(goal: Goal) {
    const phrase = readPhrase(goal);
    if (phrase === undefined) return undefined;
    const { target, plain } = phrase;
    const moved = withoutTarget(phrase.whole, target).replace(
      /^(.+?) ((?:in|of|from) (?:the )?(?:log )?(?:file )?@p\d+(?: log)?) ((?:by|per) \w+)$/i,
      '$1 $3 $2',
    );
    const taken = takePlace(moved, plain);
    const groups = taken && GOAL.exec(taken.head)?.groups;
    const isLog =
      taken?.place.files?.every((file) => /\.(?:log|txt|out|err)$|(?:^|\/)logs?\//i.test(file)) ??
      /log/i.test(taken?.place.folder ?? taken?.place.types?.[0] ?? '');
    if (!taken || !groups || !isLog || (target !== undefined && !/\.(?:md|txt)$/i.test(target)))
      return undefined;
    const said = groups['levels'] ?? '';
    const levels: Level[] = [
      ...(/error|exception|failure/i.test(said) ? (['errors'] as const) : []),
      ...(/warning/i.test(said) ? (['warnings'] as const) : []),
    ];
    const by = groups['by']?.toLowerCase();
    return {
      said: taken.head,
      parameters: {
        place: taken.place,
        levels,
        note: target,
        ...(by === 'hour' || by === 'day' ? { by } : {}),
      },
    };
  },
  look: (input, { place }) => lookAtFiles(input, place),
  report,
});

function linesIn(input: PlanInput, { place, levels }: LogParameters): LogLine[] {
  return textsIn(input, place).files.flatMap(({ path, text }) => {
    const lines = linesOf(text);
    const hasLevels = lines.some((line) => /\b(?:INFO|DEBUG|ERROR|WARN|WARNING|FATAL|TRACE)\b/.test(line));
    return lines.flatMap((line, i): LogLine[] => {
      const level = levels.find(
        (one) => PATTERNS[one].test(line) || (!hasLevels && one === 'errors' && LOWER.test(line)),
      );
      return level === undefined || NONE.test(line) ? [] : [{ level, path, line: i + 1, text: line.trim() }];
    });
  });
}

/** The message without its time and numbers, so that equal messages are one. */
function messageOf(text: string): string {
  return plainLine(
    text
      .replace(TIME, '')
      .replaceAll(/\b(?:0x)?[0-9a-f]*\d[0-9a-f]*\b/gi, '#')
      .replace(/^[[\]\s#:.,-]+/, ''),
    160,
  );
}

function report(input: PlanInput, parameters: LogParameters): Report {
  const { place, levels, by } = parameters;
  const found = linesIn(input, parameters);
  const { files, leftOut } = textsIn(input, place);
  const what = levels.map((level) => (found.length === 1 ? level.replace(/s$/, '') : level)).join(' and ');
  const timed = found.filter(({ text }) => TIME.test(text));
  const length = by === 'day' ? 10 : 13;
  const keyOf = ({ text }: LogLine): string =>
    by === undefined ? messageOf(text) : (TIME.exec(text)?.[0] ?? '').replace('T', ' ').slice(0, length);
  const groups = [...groupBy(by === undefined ? found : timed, keyOf)];
  const sorted =
    by === undefined
      ? groups.sort(([, a], [, b]) => b.length - a.length)
      : groups.sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = sorted.slice(0, MAX_SHOWN).map(([key, lines]) => {
    const [first] = lines as [LogLine];
    return by === undefined
      ? [
          String(lines.length),
          lines.length === 1 ? plainLine(first.text, 160) : key,
          `${files.length > 1 ? `${first.path}:` : ''}${first.line}`,
        ]
      : [key, String(lines.length)];
  });
  return {
    title: `${what.charAt(0).toUpperCase()}${what.slice(1)} of ${placeText(place)}`,
    answer:
      found.length === 0
        ? `No ${what} in ${placeText(place)}.`
        : `${found.length} ${what} in ${placeText(place)}${by === undefined ? `, ${count(groups.length, 'different message')}` : `, in ${count(groups.length, by)}`}.`,
    sections: [
      {
        title: by === undefined ? 'Messages' : `By ${by}`,
        lines:
          rows.length === 0
            ? []
            : markdownLines({
                columns: by === undefined ? ['times', 'message', 'first line'] : [by, what],
                rows,
              }),
      },
    ],
    facts: { found: found.length, groups: groups.length },
    leftOut: [
      ...leftOut,
      ...(groups.length > MAX_SHOWN ? [`${groups.length - MAX_SHOWN} more groups`] : []),
      ...(by !== undefined && timed.length < found.length
        ? [`${found.length - timed.length} lines without a time such as 2024-12-31 10:00`]
        : []),
    ],
    checks: [
      { check: 'the files of the goal were read', holds: files.length > 0 || place.folder !== undefined },
    ],
  };
}
