import type { Decision, PlanInput } from '../../engine/index.ts';
import { type FileSelection, type Goal, nameIn, parentOf } from '../../language/index.ts';
import { answerTo, ask, fail } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { GoalText } from './goal-text.ts';
import { code, count } from './markdown-text.ts';
import { takeSelection } from './read-selection.ts';
import { fitsPattern, newName, type RenameRule, takeRule } from './rename-rule.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';
import { changeOnce, lookAt, notIncluded, seeFolders, selected, sizesNow, surveyOf } from './survey-step.ts';
import { sameTarget } from './transfer-files.ts';

interface RenameParameters extends ReportParameters {
  readonly selection: FileSelection;
  readonly rule: RenameRule;
}

interface Renaming {
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
}

const TOOL = 'files.move_many';
const MAX_FILES = 500;

/** Renames files by a rule, after a person has seen the new names. */
export const renameFiles: Procedure = reportProcedure<RenameParameters>({
  name: 'rename-files',
  description:
    'Renames files by a pattern, with a prefix, suffix or numbers, or by replacing spaces, after showing the new names.',
  example: 'rename *.txt to *.md in docs',
  triggers: ['rename files'],
  vocabulary: {
    needs: [],
    also: 'rename prefix suffix extension lowercase uppercase spaces underscores dashes number replace',
  },
  tools: ['files.survey', 'files.list', TOOL],
  understand,
  look,
  effect(input, parameters) {
    const renamings = renamingsOf(input, parameters);
    if (renamings.length === 0) return undefined;
    const asked = { from: renamings.map(({ from }) => from), to: renamings.map(({ to }) => to) };
    return changeOnce(input, TOOL, asked, 'a person has seen the new names');
  },
  verify: (input, parameters) =>
    seeFolders(
      input,
      renamingsOf(input, parameters).flatMap(({ from, to }) => [from, to]),
    ),
  report,
});

function understand(goal: Goal): { said: string; parameters: RenameParameters } | undefined {
  const text = new GoalText(goal);
  const rule = takeRule(text);
  if (rule === undefined) return undefined;
  const isPattern = rule.kind === 'pattern';
  const verb = text.take('(?:rename|change|number)');
  if (isPattern && verb === undefined) return undefined;
  text.take('(?:(?:all )?(?:the )?(?:file ?)?names? of)');
  const selection = takeSelection(text);
  const isNamed = selection.hasNoun || isPattern || selection.places.length > 0;
  if (!isNamed || selection.what !== 'files' || !text.isRead('by to')) return undefined;
  if (isPattern && selection.kinds.length + selection.names.length > 0) return undefined;
  if ('text' in rule && /[/*?]/.test(rule.text)) return undefined;
  return { said: 'rename', parameters: { selection, rule } };
}

function look(input: PlanInput, parameters: RenameParameters): Decision | undefined {
  const step = lookAt(input, parameters.selection);
  if (step) return step;
  const renamings = renamingsOf(input, parameters);
  const problem = problemWith(input, parameters, renamings);
  if (problem !== undefined)
    return fail('agent.not_confirmed', `${problem}; nothing was renamed.`, 'it cannot be done as a whole');
  if (renamings.length === 0) return undefined;
  const question = previewOf(renamings);
  const answer = answerTo(input, question);
  if (answer === undefined) return ask(question, 'a person has to see the new names first', ['yes', 'no']);
  if (answer === 'yes') return undefined;
  return fail(
    'agent.not_confirmed',
    'the new names were not confirmed, so nothing was renamed.',
    'a person said no',
  );
}

/** The matching files and their new names, each in its own folder. */
function renamingsOf(input: PlanInput, { selection, rule }: RenameParameters): Renaming[] {
  const order = rule.kind === 'number' && rule.by === 'date' ? 'oldest' : (selection.order ?? 'name');
  const fitting = selected(input, { ...selection, order, most: selection.most ?? 1e9 }).filter(
    ({ path }) => rule.kind !== 'pattern' || fitsPattern(nameIn(path), rule.from),
  );
  return fitting
    .map(({ path, bytes }, at) => {
      const name = newName(nameIn(path), rule, at, fitting.length);
      const folder = parentOf(path);
      return { from: path, to: folder === '.' ? name : `${folder}/${name}`, bytes };
    })
    .filter(({ from, to }) => from !== to);
}

function problemWith(
  input: PlanInput,
  { selection }: RenameParameters,
  renamings: readonly Renaming[],
): string | undefined {
  const { entries } = surveyOf(input, selection);
  const taken = new Set(entries.map(({ path }) => path));
  const clash = renamings.find(({ to }) => taken.has(to));
  if (clash) return `${clash.from} would become ${clash.to}, which is there already`;
  const twice = sameTarget(renamings);
  if (twice) return `${twice[0].from} and ${twice[1].from} would both become ${twice[0].to}`;
  const odd = renamings.find(({ to }) => nameIn(to).trim() === '' || /^\.+$/.test(nameIn(to)));
  if (odd) return `${odd.from} would get no usable name`;
  if (renamings.length <= MAX_FILES) return undefined;
  return `${renamings.length} files are more than the ${MAX_FILES} that are renamed at once; name a smaller folder`;
}

/** Every new name, so that the person can check all of them. */
function previewOf(renamings: readonly Renaming[]): string {
  const shown = renamings.map(({ from, to }) => `${code(from)} to ${code(to)}`);
  return `Shall ${count(renamings.length, 'file')} be renamed? ${shown.join(', ')}`;
}

function report(input: PlanInput, parameters: RenameParameters): Report {
  const { selection, rule } = parameters;
  const renamed = renamingsOf(input, parameters);
  const now = sizesNow(
    input,
    renamed.flatMap(({ from, to }) => [from, to]),
  );
  const { leftOut, outside } = surveyOf(input, selection);
  const place = selection.places[0] ?? '.';
  const pattern = rule.kind === 'pattern' ? rule : undefined;
  const none = pattern
    ? `No file in ${code(place)} fits ${code(pattern.from)}, so nothing was renamed.`
    : 'No file needs another name, so nothing was renamed.';
  const done = pattern ? ` from ${code(pattern.from)} to ${code(pattern.to)}` : '';
  return {
    title: 'Renamed files',
    answer: renamed.length === 0 ? none : `${count(renamed.length, 'file')} renamed${done}.`,
    sections: [
      { title: 'Files', lines: renamed.map((one) => `- ${code(one.from)} is now ${code(one.to)}`) },
      notIncluded(outside),
    ],
    facts: { renamed: renamed.slice(0, 100).map(({ from, to }) => ({ from, to })) },
    leftOut,
    checks: [
      {
        check: 'every file has its new name',
        holds: renamed.every(({ to, bytes }) => now.get(to) === bytes),
      },
      { check: 'no file has its old name', holds: renamed.every(({ from }) => !now.has(from)) },
    ],
  };
}
