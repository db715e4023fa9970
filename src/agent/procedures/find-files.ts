import type { PlanInput } from '../../engine/index.ts';
import { type FileSelection, type Goal, isSpecific, looksLikeFile } from '../../language/index.ts';
import type { Procedure } from '../types.ts';
import { GoalText } from './goal-text.ts';
import { code, count, sizeText } from './markdown-text.ts';
import { takeNote } from './read-note.ts';
import { takeSelection } from './read-selection.ts';
import {
  type Report,
  type ReportParameters,
  type ReportProcedure,
  reportProcedure,
} from './report-procedure.ts';
import { conditions, describeSelection, lineOf, nounOf, totalBytes } from './selection-words.ts';
import { bounded, lookAt, notIncluded, type Survey, selected, surveyOf } from './survey-step.ts';

interface FindParameters extends ReportParameters {
  readonly selection: FileSelection;
}

const MAX_FACTS = 100;
const VERBS = 'find search look locate list show display print get give tell see name ls enumerate report';
const WORDS = `${VERBS} than larger bigger smaller older newer largest biggest smallest oldest newest latest recent modified changed edited
  files folders directories photos pictures images videos music documents empty called named starting ending containing
  markdown python javascript typescript source extension yesterday today week month since before recently`;

/** How a goal about finding files is read, and which procedure it is for. */
type Finding = { readonly kind: 'count' | 'large' | 'find'; readonly parameters: FindParameters };

function readFinding(goal: Goal): Finding | undefined {
  const text = new GoalText(goal);
  const note = takeNote(text);
  const isCount = text.take(
    '(?:how many|(?:count|number|amount|quantity)(?: of)?|count up|total number of)(?: the| all)?',
  );
  const asksContent = text.take("(?:what is|what's|what do (?:i|we) have)(?= (?:in|inside) )") !== undefined;
  const isSearch = text.has("(?:find|locate|where|where's|search|look)");
  const drawn = contentOf(takeSelection(text), asksContent);
  const file =
    isSearch && !drawn.hasNoun && drawn.names.length === 0
      ? text.take(
          '(?:for )?(?<name>§p)',
          ({ get }) => !/[/]/.test(get('name') ?? '/') && /\.[a-z]/i.test(get('name') ?? ''),
        )
      : undefined;
  const selection: FileSelection = file
    ? { ...drawn, names: [{ how: 'is', text: file.get('name') ?? '' }], hasNoun: true }
    : drawn;
  const isAbout = selection.hasNoun || selection.names.some(({ how }) => how !== 'contains');
  if (!isAbout && !text.has('what') && selection.order === undefined) return undefined;
  if (!isAbout && !(selection.order === 'largest' && text.has("(?:what|what's|which)"))) return undefined;
  if (text.has('how many')) return undefined;
  if (isCount !== undefined && selection.order !== undefined) return undefined;
  const words = isCount
    ? 'many give tell me total altogether contain contains in'
    : `${VERBS} most${note === undefined ? '' : ' write make save create prepare produce put'}`;
  if (!text.isRead(words) || (note === undefined && !hasVerb(goal))) return undefined;
  const parameters = { selection, note };
  if (isCount) return { kind: 'count', parameters };
  const isLarge =
    selection.what === 'files' &&
    (selection.order === 'largest' ||
      (selection.order === undefined && selection.above !== undefined && selection.modified === undefined));
  if (
    selection.what === 'folders' &&
    (selection.order === 'largest' || selection.order === 'smallest' || selection.above !== undefined)
  )
    return undefined;
  return { kind: isLarge ? 'large' : 'find', parameters };
}

/** "what is in docs" asks for the files and folders right in it; a file has another content. */
function contentOf(drawn: FileSelection, isAsked: boolean): FileSelection {
  if (!isAsked || drawn.hasNoun || drawn.places.some((place) => looksLikeFile(place))) return drawn;
  return { ...drawn, what: 'everything', isShallow: true, hasNoun: true };
}

/** A noun phrase such as "the oldest file" is a goal too; another verb is another goal. */
function hasVerb({ verb }: Goal): boolean {
  return !/^(?:delete|remove|copy|move|rename|open|read|edit|write|make|create|zip|sort|run|fix|compare|summari[sz]e)$/.test(
    verb ?? '',
  );
}

function understanding(kind: Finding['kind']): ReportProcedure<FindParameters>['understand'] {
  return (goal) => {
    const found = readFinding(goal);
    if (found?.kind !== kind) return undefined;
    return {
      said: describeSelection(found.parameters.selection, 2).replace(/^2 /, ''),
      parameters: found.parameters,
    };
  };
}

export const findFiles: Procedure = reportProcedure<FindParameters>({
  name: 'find-files',
  description: 'Finds or lists files and folders by name, type, size, date or emptiness.',
  example: 'find photos modified since Monday in pictures',
  triggers: ['find files', 'list files', 'show files', 'find folders', 'list folders'],
  vocabulary: { needs: [], also: WORDS },
  tools: ['files.survey', 'files.list'],
  understand: understanding('find'),
  look: (input, { selection, note }) => lookAt(input, selection, { select: true, without: note }),
  report: reportFound,
});

export const countFiles: Procedure = reportProcedure<FindParameters>({
  name: 'count-files',
  description: 'Counts files or folders by name, type, size, date or emptiness.',
  example: 'how many Markdown files are in docs?',
  triggers: ['count files', 'count folders'],
  vocabulary: { needs: [], also: 'count number many' },
  tools: ['files.survey', 'files.list'],
  understand: understanding('count'),
  look: (input, { selection, note }) => lookAt(input, selection, { select: true, without: note, limit: 0 }),
  report: reportCount,
});

export const findLargeFiles: Procedure = reportProcedure<FindParameters>({
  name: 'find-large-files',
  description: 'Finds the largest files of a folder and tells their sizes.',
  example: 'find files larger than 5 MB in this folder',
  triggers: ['find large files', 'list largest files', 'show biggest files', 'find big files'],
  vocabulary: { needs: [], also: 'large larger largest big bigger biggest huge space' },
  tools: ['files.survey', 'files.list'],
  understand: understanding('large'),
  look: (input, { selection, note }) =>
    lookAt(input, { ...selection, order: 'largest' }, { select: true, without: note }),
  report: reportLarge,
});

function reportFound(input: PlanInput, { selection, note }: FindParameters): Report {
  const found = selected(input, selection, note);
  const { leftOut, outside, totals, entries } = surveyOf(input, selection, note);
  const noun = nounOf(selection);
  const limited = selection.most !== undefined && selection.order !== undefined && selection.order !== 'name';
  const first = found[0];
  const what = describeSelection(selection, amountOf(totals, selection));
  const answer =
    first === undefined
      ? `No ${noun}${conditions(selection)} was found.`
      : limited && found.length === 1
        ? `The ${selection.order} ${noun}${conditions(selection)} is ${code(first.path)}.`
        : limited
          ? `The ${found.length} ${selection.order} of ${what}.`
          : `${what}${selection.what === 'files' ? `, ${sizeText(totals.bytes)} in all` : ''}.`;
  return {
    title: selection.what === 'folders' ? 'Folders' : 'Files',
    answer: bounded(answer, leftOut),
    sections: [{ title: 'Found', lines: found.map((file) => lineOf(file, selection)) }, notIncluded(outside)],
    facts: {
      found: found.length,
      bytes: totalBytes(found),
      files: found
        .slice(0, MAX_FACTS)
        .map(({ path, bytes, modified }) => ({ path, bytes, ...(modified !== undefined && { modified }) })),
    },
    leftOut,
    checks: [
      { check: 'every reported file fits what was asked for', holds: found.length === entries.length },
      {
        check: 'every file that fits is reported, or as many as asked for',
        holds:
          found.length === Math.min(amountOf(totals, selection), selection.most ?? Number.MAX_SAFE_INTEGER),
      },
    ],
  };
}

/** How much of what a selection means was counted. */
function amountOf({ files, folders }: Survey['totals'], { what }: FileSelection): number {
  return (what === 'folders' ? 0 : files) + (what === 'files' ? 0 : folders);
}

function reportCount(input: PlanInput, { selection, note }: FindParameters): Report {
  const { leftOut, outside, totals, byExtension } = surveyOf(input, selection, note);
  const amount = amountOf(totals, selection);
  return {
    title: 'Number of files',
    answer: bounded(`There ${amount === 1 ? 'is' : 'are'} ${describeSelection(selection, amount)}.`, leftOut),
    sections: [notIncluded(outside)],
    facts: { count: amount, ...(selection.what === 'files' && { bytes: totals.bytes }) },
    leftOut,
    checks: [
      {
        check: 'the types of files add up to the total',
        holds: byExtension.reduce((sum, { files }) => sum + files, 0) === totals.files,
      },
    ],
  };
}

function reportLarge(input: PlanInput, { selection, note }: FindParameters): Report {
  const byName =
    isSpecific({ ...selection, above: 0 }) && selection.extensions.length + selection.names.length > 0;
  const ordered = { ...selection, order: 'largest' as const };
  const shown = selected(input, ordered, note);
  const { leftOut, outside, totals, all } = surveyOf(input, selection, note);
  const what = byName ? nounOf(selection) : 'file';
  const than = selection.above === undefined ? '' : ` larger than ${sizeText(selection.above)}`;
  const answer =
    shown[0] === undefined
      ? `None of ${count(all.files, 'file')} is ${byName ? `a ${what}${than}` : `${than.trim() || 'there'}`}.`
      : shown.length === 1 && selection.most === 1
        ? `The largest ${what} is ${code(shown[0].path)} with ${sizeText(shown[0].bytes)}.`
        : `${count(shown.length, what)}${than} of ${count(all.files, 'file')} with ${sizeText(all.bytes)} in all, the largest first.`;
  const place = selection.places.length === 0 ? 'this folder' : selection.places.join(' and ');
  return {
    title: `Large files of ${place}`,
    answer: bounded(answer, leftOut),
    sections: [{ title: 'Files', lines: shown.map((file) => lineOf(file, ordered)) }, notIncluded(outside)],
    facts: {
      files: all.files,
      bytesInAll: all.bytes,
      large: shown.slice(0, MAX_FACTS).map(({ path, bytes }) => ({ path, bytes })),
    },
    leftOut,
    checks: [
      {
        check: 'every file that fits is reported, or as many as asked for',
        holds: shown.length === Math.min(totals.files, selection.most ?? Number.MAX_SAFE_INTEGER),
      },
      {
        check: 'every reported file is larger than requested',
        holds: shown.every(({ bytes }) => bytes > (selection.above ?? -1)),
      },
    ],
  };
}
