import type { PlanInput } from '../../engine/index.ts';
import type { Goal } from '../../language/index.ts';
import type { Procedure } from '../types.ts';
import type { FileSelection, SurveyedFile } from './file-selection.ts';
import { GoalText } from './goal-text.ts';
import { code, count, more, sizeText } from './markdown-text.ts';
import { takeNote } from './read-note.ts';
import { takeSelection } from './read-selection.ts';
import { takeSources } from './read-sources.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';
import { totalBytes } from './selection-words.ts';
import { lookAt, placesOf, realPlace, selected, surveyOf } from './survey-step.ts';

interface UsageParameters extends ReportParameters {
  readonly selection: FileSelection;
}

const MAX_FOLDERS = 30;
const USAGE =
  '(?:disk usage|disk space|space usage|storage usage|(?:how much|what) (?:disk )?(?:space|storage)(?: on (?:the )?disk)?|(?:total )?(?:folder|file|directory)? ?sizes?(?: of)?|how (?:big|large|heavy)|du)';

export const diskUsage: Procedure = reportProcedure<UsageParameters>({
  name: 'disk-usage',
  description: 'Tells how much space a folder takes, in total and for each of its folders.',
  example: 'how much space does photos take?',
  triggers: ['show disk usage', 'show folder sizes'],
  vocabulary: { needs: [], also: 'disk usage space storage size sizes total folder big' },
  tools: ['files.survey', 'files.list'],
  understand,
  look: (input, { selection }) => lookAt(input, selection, { ignored: true }),
  report,
});

function understand(goal: Goal): { said: string; parameters: UsageParameters } | undefined {
  const text = new GoalText(goal);
  const note = takeNote(text);
  const biggest = text.has('(?:largest|biggest|heaviest) (?:sub)?(?:folders?|directory|directories)');
  const usage = text.take(USAGE);
  if (
    !usage &&
    !biggest &&
    !text.has('(?:folders?|directories|directory) (?:that |which )?(?:takes?|uses?|using|taking)')
  )
    return undefined;
  text.take('(?:used|taken|occupied)(?: up)?(?: by)?|(?:does|do|is|are)(?= )');
  text.take(
    '(?:of |by |per |for |in )?(?:each|every|all|the) (?:sub-?)?(?:folders?|directories)|(?:by|per) (?:sub-?)?(?:folders?|directory|directories)',
  );
  const sources = takeSources(text);
  const drawn = takeSelection(text);
  const bare =
    drawn.places.length + sources.length === 0
      ? text.take(
          '(?:the |my )?(?<place>(?!(?:the|my|it|this|does|do|is|are|takes?|uses?|using|show|list|tell|give|me|what|which|total|by|used|up|find|print|get|see|display|one|most|of|in|for|please|now|space|there)(?![^\\s|]))[^\\s|,§]+)(?= )',
        )
      : undefined;
  const said = bare?.get('place');
  const places = [...drawn.places, ...sources, ...(said === undefined ? [] : [said])];
  const words =
    'show list tell give print display get see find check report take takes taking use uses using up total altogether overall much disk space folder summary breakdown most me does do is';
  if (!text.isRead(words) || drawn.names.length > 0 || drawn.modified !== undefined) return undefined;
  if (drawn.hasNoun && drawn.what === 'files' && drawn.order !== undefined) return undefined;
  return {
    said: usage?.text.trim() ?? 'folders',
    parameters: { selection: { ...drawn, what: 'files', places, ...NO_ORDER }, note },
  };
}

const NO_ORDER = { order: 'name', most: 1e9 } as const;

function report(input: PlanInput, { selection, note }: UsageParameters): Report {
  const files = selected(input, selection, note);
  const { leftOut } = surveyOf(input, selection, note);
  const total = totalBytes(files);
  const base = placesOf(selection.places).map((place) => realPlace(input, place));
  const folders = [...bytesByFolder(files, base)].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const place = selection.places.length === 0 ? 'This folder' : base.map(code).join(' and ');
  const what =
    selection.extensions.length > 0
      ? `${count(files.length, 'file')} of ${selection.kinds.join(', ')}`
      : count(files.length, 'file');
  const shown = folders.slice(0, MAX_FOLDERS);
  return {
    title: 'Disk usage',
    answer: `${place} holds ${what} with ${sizeText(total)} in all.`,
    sections: [
      {
        title: 'By folder',
        lines:
          folders.length < 2
            ? []
            : [
                '| folder | size | share |',
                '|---|---:|---:|',
                ...shown.map(
                  ([folder, bytes]) => `| ${folder} | ${sizeText(bytes)} | ${share(bytes, total)} |`,
                ),
                ...more(folders.length - shown.length, 'folder'),
              ],
      },
    ],
    facts: {
      bytes: total,
      files: files.length,
      folders: Object.fromEntries(shown),
    },
    leftOut: [...leftOut, 'protected folders such as .git and .oka'],
    checks: [
      {
        check: 'the folders add up to the total',
        holds: folders.reduce((sum, [, bytes]) => sum + bytes, 0) === total,
      },
    ],
  };
}

function share(bytes: number, total: number): string {
  return total === 0 ? '0 %' : `${((bytes / total) * 100).toFixed(1)} %`;
}

/** The bytes of each folder directly below the places; files directly in them count for the place itself. */
function bytesByFolder(files: readonly SurveyedFile[], places: readonly string[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { path, bytes } of files) {
    const place = places.find((one) => one === '.' || path === one || path.startsWith(`${one}/`)) ?? '.';
    const rest = place === '.' ? path : path.slice(place.length + 1);
    const [first = ''] = rest.split('/');
    const folder = !rest.includes('/') ? place : place === '.' ? first : `${place}/${first}`;
    sums.set(folder, (sums.get(folder) ?? 0) + bytes);
  }
  return sums;
}
