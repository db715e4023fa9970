import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import type { Goal, GoalPart } from '../../language/index.ts';
import { answerTo, ask, call, callsOf, fail, failWith } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { digestFile, listFolder, listingOf } from './folder-listing.ts';
import { code, count } from './markdown-text.ts';
import { placeToChange, readTask, type Vocabulary } from './read-task.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';

interface RenameParameters extends ReportParameters {
  readonly folder: string;
  readonly from: string;
  readonly to: string;
}

interface Renaming {
  readonly from: string;
  readonly to: string;
}

const MAX_FILES = 100;
const MAX_SHOWN = 20;
const MAX_NAME_LENGTH = 200;
const VOCABULARY: Vocabulary = {
  needs: ['rename'],
  also: 'pattern match matching from',
};

/** Renames files by a pattern, after a person has seen the new names. */
export const renameFiles: Procedure = reportProcedure<RenameParameters>({
  name: 'rename-files',
  description: 'Renames the files of a folder by a pattern with a star, after showing the new names.',
  example: 'rename *.txt to *.md in docs',
  triggers: ['rename files'],
  vocabulary: VOCABULARY,
  tools: ['files.list', 'files.move', 'files.read'],
  understand,
  look,
  effect: moveNext,
  verify,
  report: reportRenamed,
});

/** Two patterns with one star each, and optionally a folder; nothing else. */
function understand(goal: Goal): { said: string; parameters: RenameParameters } | undefined {
  const many = goal.parts.some(
    ({ kind, text }) => kind === 'word' && /^(?:files|all|every|each)$/i.test(text),
  );
  const patterns = goal.parts.filter((part) => isPattern(part) || (many && isExtension(part)));
  const [from, to, ...others] = patterns.map(({ text }) => ({
    text: text.includes('*') ? text : `*${text}`,
  }));
  if (from === undefined || to === undefined || others.length > 0 || from.text === to.text) return undefined;
  const task = readTask(
    { ...goal, parts: goal.parts.filter((part) => !patterns.includes(part)) },
    VOCABULARY,
  );
  const folder = task && placeToChange(task);
  if (!task || folder === undefined || task.rest.length > 0 || task.note !== undefined) return undefined;
  return { said: task.said, parameters: { folder, from: from.text, to: to.text } };
}

/** ".txt" means "*.txt" in a goal about files; alone it may be a hidden file. */
function isExtension({ kind, text }: GoalPart): boolean {
  return kind === 'path' && /^\.[\p{L}\p{N}]+$/u.test(text);
}

function isPattern({ kind, text }: GoalPart): boolean {
  const plain = kind === 'word' || kind === 'quoted' || kind === 'path';
  return (
    plain && /^[^*/\\\p{C}]*\*[^*/\\\p{C}]*$/u.test(text) && text.length > 1 && text.length <= MAX_NAME_LENGTH
  );
}

function look(input: PlanInput, parameters: RenameParameters): Decision | undefined {
  const listing = listFolder(
    input,
    parameters.folder,
    `the list of ${parameters.folder} tells what fits the pattern`,
  );
  if (listing) return listing;
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
function renamingsOf(input: PlanInput, { folder, from, to }: RenameParameters): Renaming[] {
  const [head = '', tail = ''] = from.split('*');
  const [newHead = '', newTail = ''] = to.split('*');
  return listingOf(input, folder).files.flatMap(({ path }) => {
    const at = path.lastIndexOf('/') + 1;
    const name = path.slice(at);
    const fits = name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
    if (!fits) return [];
    const middle = name.slice(head.length, name.length - tail.length);
    return [{ from: path, to: `${path.slice(0, at)}${newHead}${middle}${newTail}` }];
  });
}

function problemWith(
  input: PlanInput,
  { folder }: RenameParameters,
  renamings: readonly Renaming[],
): string | undefined {
  const { files, folders } = listingOf(input, folder);
  const taken = new Set([...files.map(({ path }) => path), ...folders]);
  const clash = renamings.find(({ to }) => taken.has(to));
  if (clash) return `${clash.from} would become ${clash.to}, which is there already`;
  if (new Set(renamings.map(({ to }) => to)).size < renamings.length)
    return 'two files would get the same name';
  if (renamings.length <= MAX_FILES) return undefined;
  return `${renamings.length} files fit the pattern, more than the ${MAX_FILES} that are renamed at once; name a smaller folder`;
}

function previewOf(renamings: readonly Renaming[]): string {
  const shown = renamings.slice(0, MAX_SHOWN).map(({ from, to }) => `${code(from)} to ${code(to)}`);
  const rest = renamings.length - shown.length;
  return `Shall ${count(renamings.length, 'file')} be renamed? ${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

function moveNext(input: PlanInput, parameters: RenameParameters): Decision | undefined {
  const moves = callsOf(input, 'files.move');
  const failed = moves.find(({ failure }) => failure !== undefined);
  if (failed) return failWith(failed);
  const moved = new Set(moves.map((move) => asObject(move.input)['from']));
  const next = renamingsOf(input, parameters).find(({ from }) => !moved.has(from));
  return next && call('files.move', { from: next.from, to: next.to }, `${next.from} fits ${parameters.from}`);
}

function verify(input: PlanInput, parameters: RenameParameters): Decision | undefined {
  const seen = new Set(callsOf(input, 'files.read').map((read) => asObject(read.input)['path']));
  const next = renamingsOf(input, parameters).find(({ to }) => !seen.has(to));
  return next && digestFile(next.to, `${next.to} should be there now`);
}

function reportRenamed(input: PlanInput, parameters: RenameParameters): Report {
  const { folder, from, to } = parameters;
  const renamed = renamingsOf(input, parameters);
  const absent = callsOf(input, 'files.read').filter(({ failure }) => failure?.code === 'files.not_found');
  return {
    title: 'Renamed files',
    answer:
      renamed.length === 0
        ? `No file in ${code(folder)} fits ${code(from)}, so nothing was renamed.`
        : `${count(renamed.length, 'file')} renamed from ${code(from)} to ${code(to)}.`,
    sections: [{ title: 'Files', lines: renamed.map((one) => `- ${code(one.from)} is now ${code(one.to)}`) }],
    facts: { folder, renamed: renamed.map((one) => ({ from: one.from, to: one.to })) },
    leftOut: [...listingOf(input, folder).leftOut, 'what ignore files such as .gitignore leave out'],
    checks: [
      {
        check: 'every file that fits was moved',
        holds: callsOf(input, 'files.move').length === renamed.length,
      },
      { check: 'every new name is there', holds: absent.length === 0 },
    ],
  };
}
