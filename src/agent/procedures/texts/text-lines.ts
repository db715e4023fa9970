import type { PlanInput } from '../../../engine/index.ts';
import type { Goal } from '../../../language/index.ts';
import { plainLine } from '../../describe-text.ts';
import type { Procedure } from '../../types.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, count, groupBy } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from '../report-procedure.ts';
import { type LinesTask, readLinesTask } from './lines-goal.ts';
import { linesOf, lookAtFiles, textsIn } from './text-files.ts';

interface LinesParameters extends ReportParameters {
  readonly file: string;
  readonly task: LinesTask;
}

interface Chosen {
  readonly lines: readonly string[];
  readonly of: number;
  readonly done: string;
}

const MAX_SHOWN = 200;
const MAX_LENGTH = 400;

/** Shows, sorts, removes and filters the lines of a text file. */
export const textLines: Procedure = reportProcedure<LinesParameters>({
  name: 'text-lines',
  description:
    'Shows the first, last or matching lines of a text file, sorts lines, and removes blank or duplicate lines.',
  example: 'show the last 20 lines of app.log',
  triggers: [
    'show last lines',
    'show first lines',
    'sort lines',
    'remove blank lines',
    'remove duplicate lines',
  ],
  vocabulary: {
    needs: [],
    also: 'first lines blank empty duplicate unique containing alphabetically reverse',
  },
  tools: ['files.read'],
  understand,
  look: (input, { file }) => lookAtFiles(input, { files: [file] }),
  report,
  content,
});

function understand(goal: Goal): { said: string; parameters: LinesParameters } | undefined {
  const phrase = readPhrase(goal);
  const [file, ...others] = phrase?.sources ?? [];
  if (phrase === undefined || file === undefined || others.length > 0 || !/\.[a-z0-9]+$/i.test(file))
    return undefined;
  const read = readLinesTask(phrase);
  if (read === undefined) return undefined;
  return {
    said: phrase.line,
    parameters: { file, task: read.task, note: phrase.target ?? (read.inPlace ? file : undefined) },
  };
}

function chosenIn(input: PlanInput, { file, task }: LinesParameters): Chosen {
  const [read] = textsIn(input, { files: [file] }).files;
  const lines = linesOf(read?.text ?? '');
  const of = lines.length;
  const all = `of ${count(of, 'line')}`;
  switch (task.do) {
    case 'first':
      return {
        lines: lines.slice(0, task.amount),
        of,
        done: `the first ${Math.min(task.amount, of)} ${all}`,
      };
    case 'last':
      return { lines: lines.slice(-task.amount), of, done: `the last ${Math.min(task.amount, of)} ${all}` };
    case 'range':
      return {
        lines: lines.slice(task.from - 1, task.to),
        of,
        done: `lines ${task.from} to ${task.to} ${all}`,
      };
    case 'sort': {
      const sorted = [...lines].sort(collator.compare);
      return { lines: task.descending ? sorted.reverse() : sorted, of, done: `${count(of, 'line')}, sorted` };
    }
    case 'reverse':
      return { lines: lines.toReversed(), of, done: `${count(of, 'line')}, in reverse order` };
    default:
      return filtered(lines, task);
  }
}

const collator = new Intl.Collator('en', { numeric: true });

function filtered(lines: readonly string[], task: LinesTask): Chosen {
  const of = lines.length;
  const all = `of ${count(of, 'line')}`;
  if (task.do === 'filled') {
    const kept = lines.filter((line) => line.trim() !== '');
    return { lines: kept, of, done: `${of - kept.length} blank ${all} left out` };
  }
  if (task.do === 'unique') {
    const kept = [...new Set(lines)];
    return {
      lines: kept,
      of,
      done: `${of - kept.length} duplicate ${all} left out, the first of each is kept`,
    };
  }
  if (task.do === 'repeated') {
    const groups = [
      ...groupBy(
        lines.filter((line) => line.trim() !== ''),
        (line) => line,
      ),
    ].filter(([, same]) => same.length > 1);
    return {
      lines: groups.map(([line, same]) => `${same.length} × ${line}`),
      of,
      done: `${count(groups.length, 'line')} ${all} that occur more than once`,
    };
  }
  const text = 'text' in task ? task.text.toLowerCase() : '';
  const kept = lines.filter((line) => line.toLowerCase().includes(text) === (task.do === 'with'));
  return { lines: kept, of, done: `${kept.length} ${all} ${task.do} "${'text' in task ? task.text : ''}"` };
}

/** Undefined when no line is left and when the file would not change. */
function content(input: PlanInput, parameters: LinesParameters): string | undefined {
  const { file, note } = parameters;
  const { lines, of } = chosenIn(input, parameters);
  if (
    note === undefined ||
    lines.length === 0 ||
    (note === file &&
      lines.length === of &&
      parameters.task.do !== 'sort' &&
      parameters.task.do !== 'reverse')
  )
    return undefined;
  const before = textsIn(input, { files: [file] }).files[0]?.text ?? '';
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  return lines.map((line) => `${line}${end}`).join('');
}

function report(input: PlanInput, parameters: LinesParameters): Report {
  const { file, note } = parameters;
  const { lines, of, done } = chosenIn(input, parameters);
  const { leftOut } = textsIn(input, { files: [file] });
  const isWritten = content(input, parameters) !== undefined;
  const shown = lines
    .slice(0, MAX_SHOWN)
    .map((line) => line.replaceAll('\t', '  '))
    .map((line) => (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH).toWellFormed()}…` : line));
  const fence = shown.some((line) => line.includes('```')) ? '~~~~' : '```';
  return {
    title: `Lines of ${file}`,
    answer: answerOf(parameters, lines.length, done, isWritten),
    sections: [
      {
        title: 'Lines',
        lines:
          isWritten || shown.length === 0
            ? []
            : [
                fence,
                ...shown.map((line) => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')),
                fence,
                ...(lines.length > MAX_SHOWN
                  ? [
                      '',
                      `and ${lines.length - MAX_SHOWN} more; name a file for all, as in "… into lines.txt"`,
                    ]
                  : []),
              ],
      },
    ],
    facts: {
      file,
      lines: lines.length,
      of,
      ...(lines.length <= 20 ? { text: lines.map((line) => plainLine(line, 200)) } : {}),
    },
    leftOut: note === file && leftOut.length > 0 ? leftOut : leftOut,
    checks: [
      { check: `${code(file)} was read`, holds: of > 0 || lines.length === 0 },
      { check: 'no line was added', holds: lines.length <= of },
    ],
  };
}

function answerOf({ file, note }: LinesParameters, amount: number, done: string, isWritten: boolean): string {
  if (isWritten) return `${code(note ?? '')} has ${count(amount, 'line')}: ${done}.`;
  if (note === file) return `${code(file)} was not changed: ${done}.`;
  const target = note === undefined ? '' : ` ${code(note)} was not written.`;
  return `${code(file)}: ${done}.${amount === 0 ? target : ''}`;
}
