import type { PlanInput } from '../../engine/index.ts';
import type { Goal, GoalPart } from '../../language/index.ts';
import type { Procedure } from '../types.ts';
import { listFolder, listingOf } from './folder-listing.ts';
import { code, count, sizeText } from './markdown-text.ts';
import { onePlace, readTask, type Vocabulary } from './read-task.ts';
import { type ReportParameters, reportProcedure } from './report-procedure.ts';

interface LargeParameters extends ReportParameters {
  readonly folder: string;
  /** The maximum number of files in the report. */
  readonly most: number;
  /** Only files with more bytes than this. */
  readonly above: number;
}

const DEFAULT_SHOWN = 20;
const MAX_SHOWN = 500;
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  ki: 1_024,
  mi: 1_024 ** 2,
  gi: 1_024 ** 3,
};
const SIZE = /^(\d+(?:\.\d+)?)?([kmg]i?)?(b|bytes?)?$/i;
const VOCABULARY: Vocabulary = {
  needs: ['large larger largest big bigger biggest huge heavy heaviest space over exceed above'],
  also: 'file size than top more most disk take use sort sorted by here eat exceeding very least really too',
};

export const findLargeFiles: Procedure = reportProcedure<LargeParameters>({
  name: 'find-large-files',
  description: 'Finds the largest files of a folder and tells their sizes.',
  example: 'find files larger than 5 MB in this folder',
  triggers: ['find large files', 'list largest files', 'show biggest files', 'find big files'],
  vocabulary: VOCABULARY,
  tools: ['files.list'],
  understand,
  look: (input, { folder }) => listFolder(input, folder, `the list of ${folder} tells the sizes`),
  report: reportLarge,
});

function understand(goal: Goal): { said: string; parameters: LargeParameters } | undefined {
  if (!goal.parts.some(({ kind, text }) => kind === 'word' && /^(?:files?|space)$/i.test(text)))
    return undefined;
  const task = readTask(goal, VOCABULARY);
  const folder = task && onePlace(task);
  if (!task || folder === undefined) return undefined;
  const amounts = readAmounts(task.rest);
  if (amounts === undefined) return undefined;
  const { said, perhaps, note } = task;
  const { above, most = above === undefined ? DEFAULT_SHOWN : MAX_SHOWN } = amounts;
  return { said, parameters: { folder, most: Math.min(most, MAX_SHOWN), above: above ?? 0, perhaps, note } };
}

/** A size such as "5 MB" and a number of files such as "10"; undefined when something else is left. */
function readAmounts(rest: readonly GoalPart[]): { most?: number; above?: number } | undefined {
  const text = rest
    .map((part) => (part.kind === 'word' || part.kind === 'number' ? part.text : '?'))
    .join(' ');
  const words = text
    .replace(/(\d) (?=(?:[kmg]i?b?|bytes?)(?: |$))/gi, '$1')
    .split(' ')
    .filter(Boolean);
  const amounts: { most?: number; above?: number } = {};
  for (const word of words) {
    const [all, number, unit = '', bytes] = SIZE.exec(word) ?? [];
    if (all === undefined || number === undefined) return undefined;
    const key = unit === '' && bytes === undefined ? 'most' : 'above';
    if (amounts[key] !== undefined) return undefined;
    amounts[key] = Math.floor(Number(number) * (UNITS[unit.toLowerCase()] ?? 1));
  }
  return amounts.most === 0 ? undefined : amounts;
}

function reportLarge(input: PlanInput, { folder, most, above, note }: LargeParameters) {
  const { files, leftOut } = listingOf(input, folder, note);
  const large = files
    .filter(({ bytes }) => bytes > above)
    .sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1));
  const shown = large.slice(0, most);
  const than = above > 0 ? ` larger than ${sizeText(above)}` : '';
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    title: `Large files of ${folder === '.' ? 'this folder' : folder}`,
    answer:
      large.length === 0
        ? `None of ${count(files.length, 'file')} is${than || ' larger than nothing'}.`
        : `${count(shown.length, 'file')}${than} of ${count(files.length, 'file')} with ${sizeText(total)} in all, the largest first.`,
    sections: [
      { title: 'Files', lines: shown.map(({ path, bytes }) => `- ${sizeText(bytes)}: ${code(path)}`) },
    ],
    facts: {
      folder,
      files: files.length,
      bytesInAll: total,
      large: shown.slice(0, 50).map(({ path, bytes }) => ({ path, bytes })),
    },
    leftOut: [
      ...leftOut,
      ...(above > 0 && large.length > shown.length
        ? [`${count(large.length - shown.length, 'file')} smaller than those`]
        : []),
      'what ignore files such as .gitignore leave out',
    ],
    checks: [
      {
        check: 'no omitted file is larger than a reported one',
        holds: large.slice(most).every(({ bytes }) => bytes <= (shown.at(-1)?.bytes ?? 0)),
      },
      {
        check: 'every reported file is larger than requested',
        holds: shown.every(({ bytes }) => bytes > above),
      },
    ],
  };
}
