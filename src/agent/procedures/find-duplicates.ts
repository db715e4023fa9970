import type { Decision, PlanInput } from '../../engine/index.ts';
import type { FileSelection, Goal, SurveyedFile } from '../../language/index.ts';
import { answerTo, ask, fail } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { GoalText } from './goal-text.ts';
import { code, count, groupBy, sizeText } from './markdown-text.ts';
import { takeNote } from './read-note.ts';
import { takeSelection } from './read-selection.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';
import {
  bounded,
  changeOnce,
  lookAt,
  notIncluded,
  seeFolders,
  selected,
  sizesNow,
  surveyOf,
} from './survey-step.ts';

interface DuplicateParameters extends ReportParameters {
  readonly selection: FileSelection;
  /** Deletes all but one file of each group, after a person has seen which. */
  readonly isDeleting?: boolean;
}

const DELETE = 'files.delete_many';
const VERBS =
  'find search look locate list show display print get give tell see report detect identify check scan make write';
const SAME =
  '(?:duplicates?(?: of)?|duplicated|identical|redundant|(?:exact )?copies(?: of)?|(?:have|has|having|with|of) (?:exactly )?(?:the )?(?:same|identical) (?:content|contents|data|bytes)|(?:same|identical) (?:content|contents)|(?:are |is |exist |exists |occur )?(?:there )?(?:twice|more than once|several times)|doubles)';

/** Finds files with the same content: by size first, then by digest. */
export const findDuplicates: Procedure = reportProcedure<DuplicateParameters>({
  name: 'find-duplicates',
  description: 'Finds duplicate files of a folder: files with the same content, by size and then by digest.',
  example: 'find duplicate photos in pictures',
  triggers: ['find duplicate files', 'list duplicates', 'find identical files', 'find copies'],
  vocabulary: {
    needs: [],
    also: 'duplicate duplicates duplicated identical copies twice same content redundant',
  },
  tools: ['files.survey', 'files.list'],
  understand: (goal) => understand(goal, false),
  look: (input, { selection, note }) =>
    lookAt(input, selection, { digests: 'same_size', select: true, without: note }),
  report: reportDuplicates,
});

/** Deletes the copies of files, never the last one, and only after a person has seen the list. */
export const deleteDuplicates: Procedure = reportProcedure<DuplicateParameters>({
  name: 'delete-duplicates',
  description: 'Deletes all but one of the files with the same content, after showing which.',
  example: 'delete duplicate photos in pictures',
  triggers: ['delete duplicates', 'remove duplicate files'],
  vocabulary: { needs: [], also: 'delete remove duplicate duplicates' },
  tools: ['files.survey', 'files.list', DELETE],
  understand: (goal) => understand(goal, true),
  look: lookBeforeDeleting,
  effect(input, parameters) {
    const paths = copiesOf(input, parameters).map(({ path }) => path);
    if (paths.length === 0) return undefined;
    const { at } = surveyOf(input, parameters.selection);
    return changeOnce(input, DELETE, { paths, unchanged_since: at }, 'a person has seen the list');
  },
  verify: (input, parameters) =>
    seeFolders(
      input,
      groupsOf(input, parameters)
        .flat()
        .map(({ path }) => path),
    ),
  report: reportDeleted,
});

function understand(
  goal: Goal,
  isDeleting: boolean,
): { said: string; parameters: DuplicateParameters } | undefined {
  const text = new GoalText(goal);
  const note = isDeleting ? undefined : takeNote(text);
  const deletes = text.take('(?:delete|remove|erase|trash|get rid of)');
  if ((deletes !== undefined) !== isDeleting) return undefined;
  const said = text.take(SAME);
  if (!said || ['copy', 'duplicate'].includes(goal.verb ?? '')) return undefined;
  text.take('(?:by|based on) (?:their )?(?:content|contents|digest|hash)|(?:a )?(?:list|report) of|group of');
  text.take(SAME);
  const selection = takeSelection(text);
  if (selection.what !== 'files' || selection.order !== undefined) return undefined;
  // "copies" alone are duplicates only of files.
  if (!text.isRead(isDeleting ? 'but keep one leave' : VERBS)) return undefined;
  return { said: said.text.trim(), parameters: { selection, note, ...(isDeleting && { isDeleting }) } };
}

/** Files that share their size with another, the largest first. Empty files are no duplicates of anything. */
function candidates(files: readonly SurveyedFile[]): SurveyedFile[] {
  const bySize = groupBy(
    files.filter(({ bytes }) => bytes > 0),
    ({ bytes }) => String(bytes),
  );
  return [...bySize.values()]
    .filter((group) => group.length > 1)
    .flat()
    .sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1));
}

function groupsOf(input: PlanInput, { selection, note }: DuplicateParameters): SurveyedFile[][] {
  const read = candidates(selected(input, selection, note)).filter(({ digest }) => digest !== undefined);
  return [...groupBy(read, ({ digest = '' }) => digest).values()].filter((group) => group.length > 1);
}

/** All but the first file of each group, by path. */
function copiesOf(input: PlanInput, parameters: DuplicateParameters): SurveyedFile[] {
  return groupsOf(input, parameters).flatMap((group) => group.slice(1));
}

function lookBeforeDeleting(input: PlanInput, parameters: DuplicateParameters): Decision | undefined {
  const step = lookAt(input, parameters.selection, { digests: 'same_size', select: true });
  if (step) return step;
  const groups = groupsOf(input, parameters);
  if (groups.length === 0) return undefined;
  const lines = groups.map(
    ([kept, ...copies]) =>
      `keep ${code(kept?.path ?? '')} and delete ${copies.map(({ path }) => code(path)).join(', ')}`,
  );
  const question = `Shall ${count(copiesOf(input, parameters).length, 'copy').replace('copys', 'copies')} be deleted? ${lines.join('; ')}`;
  const answer = answerTo(input, question);
  if (answer === undefined) return ask(question, 'a person decides which copies are deleted', ['yes', 'no']);
  if (answer === 'yes') return undefined;
  return fail(
    'agent.not_confirmed',
    'the list was not confirmed, so nothing was deleted.',
    'a person said no',
  );
}

function wastedBy(groups: readonly SurveyedFile[][]): number {
  return groups.reduce((sum, group) => sum + (group[0]?.bytes ?? 0) * (group.length - 1), 0);
}

function reportDuplicates(input: PlanInput, parameters: DuplicateParameters): Report {
  const { selection, note } = parameters;
  const { leftOut, outside, totals } = surveyOf(input, selection, note);
  const groups = groupsOf(input, parameters);
  const place = selection.places.length === 0 ? 'this folder' : selection.places.join(' and ');
  return {
    title: `Duplicate files of ${place}`,
    answer: bounded(
      groups.length === 0
        ? `No two of ${count(totals.files, 'file')} were found to have the same content.`
        : `${count(groups.length, 'group')} of files with the same content; the copies take ${sizeText(wastedBy(groups))}.`,
      leftOut,
    ),
    sections: [
      ...groups.map((group) => ({
        title: `${count(group.length, 'file')} of ${sizeText(group[0]?.bytes ?? 0)}`,
        lines: group.map(({ path }) => `- ${code(path)}`),
      })),
      notIncluded([...outside, ...(totals.empty > 0 ? [count(totals.empty, 'empty file')] : [])]),
    ],
    facts: {
      files: totals.files,
      groupsInAll: groups.length,
      wastedBytes: wastedBy(groups),
      groups: groups.slice(0, 20).map((group) => group.slice(0, 10).map(({ path }) => path)),
    },
    leftOut,
    checks: [
      {
        check: 'the files of each group have one size and one digest',
        holds: groups.every(
          (group) => new Set(group.map(({ bytes, digest }) => `${bytes} ${digest}`)).size === 1,
        ),
      },
    ],
  };
}

function reportDeleted(input: PlanInput, parameters: DuplicateParameters): Report {
  const groups = groupsOf(input, parameters);
  const copies = copiesOf(input, parameters);
  const now = sizesNow(
    input,
    groups.flat().map(({ path }) => path),
  );
  return {
    title: 'Deleted duplicates',
    answer:
      copies.length === 0
        ? 'No two files have the same content, so nothing was deleted.'
        : `${count(copies.length, 'file')} deleted that had the content of another one, ${sizeText(wastedBy(groups))} in all.`,
    sections: [{ title: 'Deleted', lines: copies.map(({ path }) => `- ${code(path)}`) }],
    facts: { deleted: copies.length, paths: copies.slice(0, 100).map(({ path }) => path) },
    leftOut: surveyOf(input, parameters.selection).leftOut,
    checks: [
      { check: 'no deleted copy is there', holds: copies.every(({ path }) => !now.has(path)) },
      {
        check: 'one file of each group is there',
        holds: groups.every(([kept]) => now.get(kept?.path ?? '') === kept?.bytes),
      },
    ],
  };
}
