import type { PlanInput } from '../../engine/index.ts';
import type { ListedFile } from '../key-files.ts';
import type { Procedure } from '../types.ts';
import {
  digestFile,
  digestIn,
  firstUnread,
  listFolder,
  listingOf,
  names,
  readsByPath,
} from './folder-listing.ts';
import { code, count, groupBy, sizeText } from './markdown-text.ts';
import { onePlace, readTask, type Vocabulary } from './read-task.ts';
import { type ReportParameters, reportProcedure } from './report-procedure.ts';

interface DuplicateParameters extends ReportParameters {
  readonly folder: string;
}

/** The maximum number of files to read, largest first. */
const MAX_READ = 300;
const VOCABULARY: Vocabulary = {
  needs: ['duplicate duplicated identical twice copies copy same redundant'],
  also: `file content contents byte group waste wasted space size digest hash by more than once with occur
    appear`,
};

/** Finds files with the same content: by size first, then by digest. */
export const findDuplicates: Procedure = reportProcedure<DuplicateParameters>({
  name: 'find-duplicates',
  description: 'Finds duplicate files of a folder: files with the same content, by size and then by digest.',
  example: 'find duplicate files in this folder',
  triggers: ['find duplicate files', 'list duplicates', 'find identical files', 'find copies'],
  vocabulary: VOCABULARY,
  tools: ['files.list', 'files.read'],
  understand(goal) {
    const task = readTask(goal, VOCABULARY);
    const folder = task && onePlace(task);
    if (!task || folder === undefined || task.rest.length > 0) return undefined;
    // "copy a.txt" is another goal: duplicates need more than one file.
    const many =
      /\b(?:duplicates?|duplicated|identical|copies|twice|redundant)\b|\bsame\b.*\bcontents?\b/i.test(
        goal.text,
      );
    if (!many || ['copy', 'duplicate'].includes(goal.verb ?? '')) return undefined;
    return { said: task.said, parameters: { folder, perhaps: task.perhaps, note: task.note } };
  },
  look(input, { folder, note }) {
    const listing = listFolder(input, folder, `the list of ${folder} tells which files have the same size`);
    if (listing) return listing;
    const { files } = listingOf(input, folder, note);
    const unread = firstUnread(
      input,
      candidates(files)
        .slice(0, MAX_READ)
        .map(({ path }) => path),
    );
    return unread === undefined ? undefined : digestFile(unread, `${unread} has the size of another file`);
  },
  report: reportDuplicates,
});

/** Files that share their size with another, the largest first. Empty files are no duplicates of anything. */
function candidates(files: readonly ListedFile[]): ListedFile[] {
  return [
    ...groupBy(
      files.filter(({ bytes }) => bytes > 0),
      ({ bytes }) => String(bytes),
    ).values(),
  ]
    .filter((group) => group.length > 1)
    .flat()
    .sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1));
}

function reportDuplicates(input: PlanInput, { folder, note }: DuplicateParameters) {
  const { files, leftOut } = listingOf(input, folder, note);
  const same = candidates(files);
  const reads = readsByPath(input);
  const tried = same.slice(0, MAX_READ);
  const read = tried.flatMap((file) => {
    const digest = digestIn(reads.get(file.path));
    return digest === undefined ? [] : [{ ...file, digest }];
  });
  const unreadable = tried.filter(({ path }) => digestIn(reads.get(path)) === undefined);
  const groups = [...groupBy(read, ({ digest }) => digest).values()].filter((group) => group.length > 1);
  const wasted = groups.reduce((sum, group) => sum + (group[0]?.bytes ?? 0) * (group.length - 1), 0);
  const empty = files.filter(({ bytes }) => bytes === 0);
  return {
    title: `Duplicate files of ${folder === '.' ? 'this folder' : folder}`,
    answer:
      groups.length === 0
        ? `No two of ${count(files.length, 'file')} were found to have the same content.`
        : `${count(groups.length, 'group')} of files with the same content; the copies take ${sizeText(wasted)}.`,
    sections: groups.map((group) => ({
      title: `${count(group.length, 'file')} of ${sizeText(group[0]?.bytes ?? 0)}`,
      lines: group.map(({ path }) => `- ${code(path)}`),
    })),
    facts: {
      folder,
      files: files.length,
      wastedBytes: wasted,
      groups: groups.slice(0, 20).map((group) => group.slice(0, 10).map(({ path }) => path)),
    },
    leftOut: [
      ...leftOut,
      ...(same.length > MAX_READ
        ? [`${count(same.length - MAX_READ, 'file')} that share their size with another, the smallest ones`]
        : []),
      ...(unreadable.length > 0 ? [`not read: ${names(unreadable.map(({ path }) => path))}`] : []),
      ...(empty.length > 0 ? [`empty: ${names(empty.map(({ path }) => path))}`] : []),
      'what ignore files such as .gitignore leave out',
    ],
    checks: [
      {
        check: 'every file that shares its size was tried, up to the limit',
        holds: tried.every(({ path }) => reads.has(path)),
      },
      {
        check: 'the files of each group have one size and one digest',
        holds: groups.every(
          (group) => new Set(group.map(({ bytes, digest }) => `${bytes} ${digest}`)).size === 1,
        ),
      },
    ],
  };
}
