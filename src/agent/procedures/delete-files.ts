import type { Decision, PlanInput } from '../../engine/index.ts';
import { type FileSelection, type Goal, isSpecific, type SurveyedFile } from '../../language/index.ts';
import { fail } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { GoalText } from './goal-text.ts';
import { code, count, sizeText } from './markdown-text.ts';
import { takeSelection } from './read-selection.ts';
import { takeSources } from './read-sources.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';
import { conditions, describeSelection, nounOf, totalBytes } from './selection-words.ts';
import {
  changeOnce,
  lookAt,
  notIncluded,
  realPlace,
  seeFolders,
  selected,
  sizesNow,
  surveyOf,
} from './survey-step.ts';

interface DeleteParameters extends ReportParameters {
  readonly selection: FileSelection;
  readonly sources: readonly string[];
}

const TOOL = 'files.delete_many';
const MAX_DELETED = 1_000;
const VERBS = 'delete|remove|erase|trash|rm|get rid of|throw away|clean up|clear out|purge';

/** Deletes a selection of files. The policy asks, and the person sees every path. */
export const deleteFiles: Procedure = reportProcedure<DeleteParameters>({
  name: 'delete-files',
  description: 'Deletes a selection of files or folders in one step that can be undone.',
  example: 'delete all .log files older than 30 days in logs',
  triggers: ['delete files', 'remove files', 'delete folders'],
  vocabulary: { needs: [], also: 'delete remove erase trash empty folders' },
  tools: ['files.survey', 'files.list', TOOL],
  understand,
  look,
  effect(input, parameters) {
    const paths = pathsToDelete(input, parameters).map(({ path }) => path);
    if (paths.length === 0) return undefined;
    const { at } = surveyOf(input, placesOf(parameters));
    return changeOnce(
      input,
      TOOL,
      { paths, unchanged_since: at },
      `${count(paths.length, 'path')} fit the goal`,
    );
  },
  verify: (input, parameters) =>
    seeFolders(
      input,
      pathsToDelete(input, parameters).map(({ path }) => path),
    ),
  report,
});

/** One named file is a call of files.delete; a whole workspace is never deleted. */
function understand(goal: Goal): { said: string; parameters: DeleteParameters } | undefined {
  const text = new GoalText(goal);
  const verb = text.take(`(?:${VERBS})`);
  if (!verb) return undefined;
  const sources = takeSources(text);
  const isFolder = /\b(?:folder|directory)\b|\/(?:\s|$)/i.test(goal.text);
  const selection = takeSelection(text);
  if (!text.isRead()) return undefined;
  if (sources.length > 0) {
    if (selection.hasNoun || isSpecific(selection) || selection.places.length > 0) return undefined;
    if (sources.length === 1 && !isFolder) return undefined;
    return { said: verb.text, parameters: { selection, sources } };
  }
  // "delete the docs folder" is read as a place.
  if (
    !selection.hasNoun &&
    !isSpecific(selection) &&
    selection.places.length > 0 &&
    isFolder &&
    !/\bin\b/i.test(goal.text)
  )
    return {
      said: verb.text,
      parameters: { selection: { ...selection, places: [] }, sources: selection.places },
    };
  const isChosen =
    isSpecific(selection) ||
    selection.order !== undefined ||
    (selection.places.length > 0 && selection.what !== 'folders');
  if (!selection.hasNoun || !isChosen || selection.isVague) return undefined;
  return { said: verb.text, parameters: { selection, sources } };
}

function placesOf({ selection, sources }: DeleteParameters): FileSelection {
  return sources.length > 0 ? { ...selection, places: sources } : selection;
}

function look(input: PlanInput, parameters: DeleteParameters): Decision | undefined {
  const options = parameters.sources.length > 0 ? { ignored: true } : { select: true };
  const step = lookAt(input, placesOf(parameters), options);
  if (step) return step;
  const paths = pathsToDelete(input, parameters);
  if (paths.length <= MAX_DELETED) return undefined;
  const reason = `${paths.length} paths are more than the ${MAX_DELETED} that are deleted at once; name a smaller folder. Nothing was deleted.`;
  return fail('agent.not_confirmed', reason, 'a person could not check so many paths');
}

/** What to delete, everything in a folder before it. */
function pathsToDelete(input: PlanInput, { selection, sources }: DeleteParameters): SurveyedFile[] {
  if (sources.length === 0) return deepestFirst(selected(input, selection));
  return sources.flatMap((given) => {
    const source = realPlace(input, given);
    const { entries } = surveyOf(input, { places: [given] });
    const isFile = entries.length === 1 && entries[0]?.path === source;
    return deepestFirst([...entries, ...(isFile ? [] : [{ path: source, kind: 'directory', bytes: 0 }])]);
  });
}

function deepestFirst(files: readonly SurveyedFile[]): SurveyedFile[] {
  const depth = ({ path }: SurveyedFile): number => path.split('/').length;
  const isFolder = ({ kind }: SurveyedFile): number => (kind === 'directory' ? 1 : 0);
  return files.toSorted((a, b) => isFolder(a) - isFolder(b) || (isFolder(a) === 1 ? depth(b) - depth(a) : 0));
}

function report(input: PlanInput, parameters: DeleteParameters): Report {
  const { selection, sources } = parameters;
  const deleted = pathsToDelete(input, parameters);
  const paths = deleted.map(({ path }) => path);
  const now = sizesNow(input, paths);
  const { leftOut, outside } = surveyOf(input, placesOf(parameters));
  const what =
    sources.length > 0 ? sources.map(code).join(' and ') : describeSelection(selection, deleted.length);
  return {
    title: 'Deleted files',
    answer:
      deleted.length === 0
        ? `No ${nounOf(selection)}${conditions(selection)} was found, so nothing was deleted.`
        : `${what} deleted, ${sizeText(totalBytes(deleted))} in all. Undo it with: oka runs undo`,
    sections: [{ title: 'Deleted', lines: paths.map((path) => `- ${code(path)}`) }, notIncluded(outside)],
    facts: { deleted: paths.length, bytes: totalBytes(deleted), paths: paths.slice(0, 100) },
    leftOut,
    checks: [
      { check: 'nothing that was to be deleted is there', holds: paths.every((path) => !now.has(path)) },
    ],
  };
}
