import type { PlanInput } from '../../engine/index.ts';
import type { FileSelection, Goal } from '../../language/index.ts';
import type { Procedure } from '../types.ts';
import { GoalText } from './goal-text.ts';
import { code, count, sizeText } from './markdown-text.ts';
import { takeNote } from './read-note.ts';
import { takeSelection } from './read-selection.ts';
import { takeSources } from './read-sources.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';
import { bounded, lookAt, notIncluded, placesOf, realPlace, surveyOf } from './survey-step.ts';

interface UsageParameters extends ReportParameters {
  readonly selection: FileSelection;
}

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
  look: (input, { selection, note }) =>
    lookAt(input, selection, { ignored: true, select: true, without: note, limit: 0 }),
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
    parameters: { selection: { ...drawn, what: 'files', places, order: undefined, most: undefined }, note },
  };
}

function report(input: PlanInput, { selection, note }: UsageParameters): Report {
  const { leftOut, outside, totals, byFolder } = surveyOf(input, selection, note);
  const base = placesOf(selection.places).map((place) => realPlace(input, place));
  const folders = byFolder
    .map(({ folder, bytes }) => [folder, bytes] as const)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const place = selection.places.length === 0 ? 'This folder' : base.map(code).join(' and ');
  const files = count(totals.files, 'file');
  const what = selection.extensions.length > 0 ? `${files} of ${selection.kinds.join(', ')}` : files;
  return {
    title: 'Disk usage',
    answer: bounded(`${place} holds ${what} with ${sizeText(totals.bytes)} in all.`, leftOut),
    sections: [
      {
        title: 'By folder',
        lines:
          folders.length < 2
            ? []
            : [
                '| folder | size | share |',
                '|---|---:|---:|',
                ...folders.map(
                  ([folder, bytes]) => `| ${folder} | ${sizeText(bytes)} | ${share(bytes, totals.bytes)} |`,
                ),
              ],
      },
      notIncluded([...outside, 'protected folders such as .git and .oka']),
    ],
    facts: { bytes: totals.bytes, files: totals.files, folders: Object.fromEntries(folders) },
    leftOut,
    checks: [
      {
        check: 'the folders add up to the total',
        holds: folders.reduce((sum, [, bytes]) => sum + bytes, 0) === totals.bytes,
      },
    ],
  };
}

function share(bytes: number, total: number): string {
  return total === 0 ? '0 %' : `${((bytes / total) * 100).toFixed(1)} %`;
}
