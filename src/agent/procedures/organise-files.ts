import type { Decision, PlanInput } from '../../engine/index.ts';
import { extensionIn, type FileSelection, type Goal, nameIn, selectFiles } from '../../language/index.ts';
import { fail } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { typeFolderOf } from './file-kinds.ts';
import { GoalText, pathOf } from './goal-text.ts';
import { code, count, groupBy } from './markdown-text.ts';
import { takeSelection } from './read-selection.ts';
import { type ReportParameters, reportProcedure } from './report-procedure.ts';
import { nounOf } from './selection-words.ts';
import { changeOnce, lookAt, notIncluded, realPlace, seeFolders, sizesNow, surveyOf } from './survey-step.ts';
import { sameTarget } from './transfer-files.ts';

type Grouping = 'type' | 'extension' | 'month' | 'year' | 'day';

interface OrganiseParameters extends ReportParameters {
  readonly selection: FileSelection;
  readonly by: Grouping;
}

const TOOL = 'files.move_many';
const MAX_FILES = 1_000;
const GROUPINGS: Readonly<Record<string, Grouping>> = {
  type: 'type',
  kind: 'type',
  'file type': 'type',
  category: 'type',
  extension: 'extension',
  month: 'month',
  date: 'month',
  year: 'year',
  day: 'day',
};

/** Moves the files directly in a folder into folders by their type or date. Files in subfolders stay where they are. */
export const organiseFiles: Procedure = reportProcedure<OrganiseParameters>({
  name: 'organise-files',
  description: 'Sorts the files of a folder into subfolders by type, extension, month or year.',
  example: 'organise downloads by type',
  triggers: ['organise files', 'organize files', 'sort files into folders', 'tidy folder'],
  vocabulary: {
    needs: [],
    also: 'organise organize sort arrange group tidy type extension month year folders',
  },
  tools: ['files.survey', 'files.list', TOOL],
  understand,
  look,
  effect(input, parameters) {
    const moves = movesOf(input, parameters);
    if (moves.length === 0) return undefined;
    const asked = { from: moves.map(({ from }) => from), to: moves.map(({ to }) => to) };
    return changeOnce(input, TOOL, asked, `${count(moves.length, 'file')} can be sorted by ${parameters.by}`);
  },
  verify: (input, parameters) =>
    seeFolders(
      input,
      movesOf(input, parameters).flatMap(({ from, to }) => [from, to]),
    ),
  report,
});

function understand(goal: Goal): { said: string; parameters: OrganiseParameters } | undefined {
  const text = new GoalText(goal);
  const verb = text.take('(?:organi[sz]e|sort|arrange|group|tidy up|tidy|clean up|file|put)');
  const groups = Object.keys(GROUPINGS).join('|');
  const by = text.take(
    `(?:(?:in)?to (?:sub-?)?(?:folders|directories) )?(?:by|per|for each|according to) (?:their |its )?(?:file ?)?(?<by>${groups})(?: (?:of modification|modified))?(?: (?:in)?to (?:separate )?(?:sub-?)?(?:folders|directories))?`,
  );
  if (!verb || !by) return undefined;
  const isSorting = /^(?:sort|group|put|file)/.test(verb.text);
  const selection = takeSelection(text);
  const place =
    selection.places.length === 0
      ? text.take(
          '(?:the |my )?(?<place>§[pq]|(?!(?:the|my|please|them|it|everything)(?![^\\s|]))[^\\s|,§]+)(?= )',
          (found) => !selection.hasNoun || /§/.test(found.text),
        )
      : undefined;
  const said = place?.get('place');
  const places = said === undefined ? selection.places : [pathOf(said)].filter((one) => one !== '.');
  if (!text.isRead('into to folders subfolders') || places.length > 1) return undefined;
  // "sort the files by date" may only ask for a list; a word for folders, or "photos by month", asks for a change.
  const isList = isSorting && !/folder|director|month|year|type|kind|extension/i.test(goal.text);
  if (isList || (selection.hasNoun !== true && places.length === 0) || selection.order !== undefined)
    return undefined;
  const key = (by.get('by') ?? '').toLowerCase();
  return {
    said: `${verb.text} by ${key}`,
    parameters: {
      selection: { ...selection, what: 'files', places, isShallow: true },
      by: GROUPINGS[key] ?? 'type',
    },
  };
}

function look(input: PlanInput, parameters: OrganiseParameters): Decision | undefined {
  const step = lookAt(input, parameters.selection);
  if (step) return step;
  const moves = movesOf(input, parameters);
  const { entries } = surveyOf(input, parameters.selection);
  const taken = new Set(entries.map(({ path }) => path));
  const clash = moves.find(({ to }) => taken.has(to));
  const twice = sameTarget(moves);
  const problem =
    moves.length > MAX_FILES
      ? `${moves.length} files are more than the ${MAX_FILES} that are moved at once`
      : clash
        ? `${clash.from} would become ${clash.to}, which is there already`
        : twice && `${twice[0].from} and ${twice[1].from} would both become ${twice[0].to}`;
  return problem
    ? fail('agent.not_confirmed', `${problem}; nothing was moved.`, 'it cannot be done as a whole')
    : undefined;
}

function movesOf(
  input: PlanInput,
  { selection, by }: OrganiseParameters,
): { from: string; to: string; bytes: number }[] {
  const { entries } = surveyOf(input, selection);
  const place = placeToSort(input, selection);
  const base = place === '.' ? '' : `${place}/`;
  return (
    selectFiles(entries, { ...selection, places: [place] }, undefined)
      // Hidden files belong to programs.
      .filter(({ path }) => !nameIn(path).startsWith('.'))
      .map(({ path, bytes, modified }) => {
        const folder = folderFor(path, modified, by);
        return { from: path, to: `${base}${folder}/${nameIn(path)}`, bytes };
      })
  );
}

/** The folder that the goal names. "My photos" are those in the folder `photos`, if there is one. */
function placeToSort(input: PlanInput, selection: FileSelection): string {
  const [place] = selection.places;
  if (place !== undefined) return realPlace(input, place);
  const [kind, ...others] = selection.kinds;
  const folder = surveyOf(input, selection).entries.find(
    (entry) => entry.kind === 'directory' && entry.path.toLowerCase() === kind,
  );
  return others.length === 0 && folder ? folder.path : '.';
}

function folderFor(path: string, modified: string | undefined, by: Grouping): string {
  const extension = extensionIn(path);
  if (by === 'type') return typeFolderOf(extension);
  if (by === 'extension') return extension === '' ? 'no-extension' : extension;
  if (modified === undefined) return 'unknown-date';
  return modified.slice(0, by === 'year' ? 4 : by === 'month' ? 7 : 10);
}

function report(input: PlanInput, parameters: OrganiseParameters) {
  const { selection, by } = parameters;
  const moves = movesOf(input, parameters);
  const now = sizesNow(
    input,
    moves.flatMap(({ from, to }) => [from, to]),
  );
  const { leftOut, outside } = surveyOf(input, selection);
  const groups = [...groupBy(moves, ({ to }) => to.slice(0, to.lastIndexOf('/')))];
  const dates =
    by === 'type' || by === 'extension'
      ? []
      : ['the date is that of the last modification; photos are not opened to read when they were taken'];
  return {
    title: 'Sorted files',
    answer:
      moves.length === 0
        ? `No ${nounOf(selection)} to sort was found, so nothing was moved.`
        : `${count(moves.length, 'file')} sorted by ${by} into ${count(groups.length, 'folder')}.`,
    sections: [
      {
        title: 'Folders',
        lines: groups.map(([folder, files]) => `- ${code(folder)}: ${count(files.length, 'file')}`),
      },
      notIncluded([...outside, 'files in subfolders and hidden files', ...dates]),
    ],
    facts: {
      moved: moves.length,
      by,
      folders: Object.fromEntries(groups.map(([folder, files]) => [folder, files.length])),
    },
    leftOut,
    checks: [
      { check: 'every file is in its folder', holds: moves.every(({ to, bytes }) => now.get(to) === bytes) },
      { check: 'no sorted file is at its old place', holds: moves.every(({ from }) => !now.has(from)) },
    ],
  };
}
