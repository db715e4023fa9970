import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import {
  extensionIn,
  type FileSelection,
  type Goal,
  isSpecific,
  type SurveyedFile,
} from '../../language/index.ts';
import { callsOf, fail } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { GoalText, pathOf } from './goal-text.ts';
import { code, count, sizeText } from './markdown-text.ts';
import { takeSelection } from './read-selection.ts';
import { takeSources } from './read-sources.ts';
import { type ReportParameters, reportProcedure } from './report-procedure.ts';
import { conditions, nounOf } from './selection-words.ts';
import { changeOnce, lookAt, seeFolders, selected, sizesNow, surveyOf } from './survey-step.ts';

interface MergeParameters extends ReportParameters {
  readonly selection: FileSelection;
  readonly sources: readonly string[];
  readonly to: string;
}

const TOOL = 'files.merge';
const MAX_FILES = 5_000;
/** Files that can be joined as they are, one after the other. */
const JOINABLE = /^(?:txt|md|markdown|log|csv|tsv|jsonl|ndjson|rst|adoc|tex|sql|)$/;
const TABLE = /^(?:csv|tsv)$/;

export const mergeFiles: Procedure = reportProcedure<MergeParameters>({
  name: 'merge-files',
  description: 'Joins text files, logs or tables with the same columns into one file.',
  example: 'merge all .txt files in notes into all.txt',
  triggers: ['merge files', 'combine files', 'join files', 'concatenate files'],
  vocabulary: { needs: [], also: 'merge combine join concatenate' },
  tools: ['files.survey', 'files.list', TOOL],
  understand,
  look,
  effect(input, parameters) {
    const files = filesToMerge(input, parameters);
    if (files.length === 0) return undefined;
    const asked = {
      from: files.map(({ path }) => path),
      to: parameters.to,
      header_once: files.every(({ path }) => TABLE.test(extensionIn(path))),
      replace: true,
    };
    return changeOnce(input, TOOL, asked, `${count(files.length, 'file')} can be merged`);
  },
  verify: (input, { to }) => (callsOf(input, TOOL).length === 0 ? undefined : seeFolders(input, [to])),
  report,
});

function understand(goal: Goal): { said: string; parameters: MergeParameters } | undefined {
  const text = new GoalText(goal);
  const verb = text.take('(?:merge|combine|join|concatenate|concat|cat|append)(?: together)?');
  const target = text.take(
    '(?:together )?(?:in)?to (?:(?:one|a single|a|the) )?(?:(?:big|single|new) )?(?:file )?(?:(?:called|named) )?(?<to>§[pq])(?: file)?',
  );
  const to = target?.get('to');
  if (!verb || to === undefined || /[*?]/.test(to)) return undefined;
  const sources = takeSources(text);
  const selection = takeSelection(text);
  if (!text.isRead('together') || (sources.length > 0 && selection.places.length > 0)) return undefined;
  const isChosen = selection.hasNoun && (isSpecific(selection) || selection.places.length > 0);
  if (sources.length > 0 ? isChosen || sources.length < 2 : !isChosen) return undefined;
  return { said: verb.text, parameters: { selection, sources, to: pathOf(to) } };
}

function look(input: PlanInput, parameters: MergeParameters): Decision | undefined {
  const { selection, sources } = parameters;
  const step =
    sources.length > 0
      ? lookAt(input, { ...selection, places: sources })
      : lookAt(input, selection, { select: true });
  if (step) return step;
  const files = filesToMerge(input, parameters);
  const odd = files.find(({ path }) => !JOINABLE.test(extensionIn(path)));
  const kinds = new Set(files.map(({ path }) => TABLE.test(extensionIn(path))));
  const problem =
    files.length > MAX_FILES
      ? `${files.length} files are more than the ${MAX_FILES} that are merged at once`
      : odd
        ? `${odd.path} cannot be joined with other files one after the other; Oka merges text, Markdown, logs, CSV, TSV and JSON Lines`
        : kinds.size > 1
          ? 'tables and texts cannot be merged into one file'
          : undefined;
  return problem === undefined
    ? undefined
    : fail('agent.not_confirmed', `${problem}; nothing was merged.`, 'the result would be of no use');
}

/** The files in the order of the goal, or by name; never the result itself. */
function filesToMerge(
  input: PlanInput,
  { selection, sources, to }: MergeParameters,
): readonly SurveyedFile[] {
  if (sources.length === 0) return selected(input, selection).filter(({ path }) => path !== to);
  return sources.flatMap((place) =>
    surveyOf(input, { places: [place] }).entries.filter(({ kind }) => kind === 'file'),
  );
}

function report(input: PlanInput, parameters: MergeParameters) {
  const { selection, to } = parameters;
  const files = filesToMerge(input, parameters);
  const { bytes = 0, files: merged } = asObject(callsOf(input, TOOL).at(-1)?.output);
  const now = sizesNow(input, [to]);
  return {
    title: 'Merged files',
    answer:
      files.length === 0
        ? `No ${nounOf(selection)}${conditions(selection)} was found, so nothing was merged.`
        : `${count(files.length, 'file')} merged into ${code(to)}, ${sizeText(Number(bytes))}.`,
    sections: [{ title: 'Files in this order', lines: files.map(({ path }) => `- ${code(path)}`) }],
    facts: { merged: files.length, to: files.length === 0 ? null : to, bytes: Number(bytes) },
    leftOut: surveyOf(input, parameters.sources.length > 0 ? { places: parameters.sources } : selection)
      .leftOut,
    checks: [
      { check: `${to} is there with its size`, holds: files.length === 0 || now.get(to) === bytes },
      { check: 'every file was merged', holds: files.length === 0 || merged === files.length },
    ],
  };
}
