import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { type FileSelection, type Goal, isSpecific, looksLikeFile, nameIn } from '../../language/index.ts';
import { call, callsOf, fail } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { GoalText, pathOf } from './goal-text.ts';
import { code, count, sizeText } from './markdown-text.ts';
import { takeSelection } from './read-selection.ts';
import { takeSources } from './read-sources.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';
import { conditions, describeSelection, nounOf } from './selection-words.ts';
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

interface TransferParameters extends ReportParameters {
  readonly selection: FileSelection;
  /** Files and folders that the goal names one by one. */
  readonly sources: readonly string[];
  readonly to: string;
  /** The goal says that the target is a folder. */
  readonly isFolder: boolean;
}

interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
}

interface Manner {
  readonly tool: 'files.copy' | 'files.move_many';
  readonly verbs: string;
  readonly done: string;
  readonly max: number;
}

const COPY: Manner = {
  tool: 'files.copy',
  verbs: 'copy|duplicate|cp|back up|backup|make (?:a copy|copies) of',
  done: 'copied',
  max: 5_000,
};
const MOVE: Manner = {
  tool: 'files.move_many',
  verbs: 'move|mv|put|transfer|relocate',
  done: 'moved',
  max: 1_000,
};
const MAX_FACTS = 100;

export const copyFiles: Procedure = transfer(COPY, {
  name: 'copy-files',
  description: 'Copies files or folders byte for byte, by name or by a selection; never replaces a file.',
  example: 'copy all photos in pictures to backup',
  triggers: ['copy files'],
});

export const moveFiles: Procedure = transfer(MOVE, {
  name: 'move-files',
  description: 'Moves files or folders, by name or by a selection; never replaces a file.',
  example: 'move all .log files into old-logs',
  triggers: ['move files'],
});

function transfer(
  manner: Manner,
  about: Pick<Procedure, 'name' | 'description' | 'example' | 'triggers'>,
): Procedure {
  return reportProcedure<TransferParameters>({
    ...about,
    vocabulary: { needs: [], also: manner.verbs.replaceAll(/[|()?:]/g, ' ') },
    tools: ['files.survey', 'files.list', manner.tool],
    understand: (goal) => understand(goal, manner),
    look: (input, parameters) => look(input, parameters, manner),
    effect(input, parameters) {
      const transfers = transfersOf(input, parameters);
      if (transfers.length === 0) return undefined;
      const asked = { from: transfers.map(({ from }) => from), to: transfers.map(({ to }) => to) };
      return changeOnce(
        input,
        manner.tool,
        asked,
        `${count(transfers.length, 'file')} can be ${manner.done}`,
      );
    },
    verify: (input, parameters) =>
      seeFolders(
        input,
        transfersOf(input, parameters).flatMap(({ from, to }) => [from, to]),
      ),
    report: (input, parameters) => report(input, parameters, manner),
  });
}

function understand(
  goal: Goal,
  manner: Manner,
): { said: string; parameters: TransferParameters } | undefined {
  const text = new GoalText(goal);
  const verb = text.take(`(?:${manner.verbs})`);
  if (!verb) return undefined;
  const links =
    verb.text === 'put' ? 'to|into|in' : 'to|into|as|in(?= (?:a|the) (?:new )?(?:folder|directory))';
  const folder = '(?:(?:a|an|the|my|our) )?(?:(?:new )?(?:folder|directory) )?(?:(?:called|named) )?';
  const target = text.take(
    `(?:over )?(?:${links}) ${folder}(?<to>§[pq]|(?!(?:the|my|a|an|it|them|type|month|upper|lower|cloud|icloud|dropbox|onedrive|usb|stick|disk|email|internet|web|trash|bin|desktop|clipboard|phone|server|printer|somewhere|safe)(?![^\\s|]))[^\\s|,§]+)(?: (?:folder|directory))?`,
  );
  const said = target?.get('to');
  if (target === undefined || said === undefined) return undefined;
  const sources = takeSources(text);
  const selection = takeSelection(text);
  const isMany =
    selection.hasNoun &&
    (isSpecific(selection) || selection.places.length > 0 || selection.order !== undefined);
  const isWhole =
    !selection.hasNoun && sources.length === 0 && selection.places.length > 0 && !isSpecific(selection);
  if (sources.length > 0 && (selection.hasNoun || isSpecific(selection))) return undefined;
  if (sources.length === 0 && !isMany && !isWhole) return undefined;
  if (!text.isRead('over') || selection.isVague) return undefined;
  // One file with a new name is a call of files.move.
  const isOneMove =
    manner === MOVE && sources.length === 1 && !/folder|directory|\/$/.test(target.text + said);
  if (isOneMove && looksLikeFile(sources[0] as string) && looksLikeFile(said)) return undefined;
  const isFolder = /[/]$/.test(said) || /folder|directory/.test(target.text);
  return {
    said: verb.text,
    parameters: {
      selection: isWhole ? { ...selection, places: [] } : selection,
      sources: isWhole ? selection.places : sources,
      to: pathOf(said),
      isFolder,
    },
  };
}

/** Surveys the sources, and looks whether the target is there. */
function look(input: PlanInput, parameters: TransferParameters, manner: Manner): Decision | undefined {
  const { sources, selection, to } = parameters;
  const step =
    sources.length > 0
      ? lookAt(input, { ...selection, places: sources }, { ignored: true })
      : lookAt(input, { ...selection, what: 'files' }, { select: true });
  if (step) return step;
  if (to !== '.' && targetCall(input, to) === undefined)
    return call(
      'files.list',
      { path: to, depth: 1, limit: 1 },
      `whether ${to} is a folder decides the new names`,
    );
  const problem = problemWith(input, parameters, manner);
  return problem === undefined
    ? undefined
    : fail('agent.not_confirmed', `${problem}; nothing was ${manner.done}.`, 'it cannot be done as a whole');
}

function targetCall(input: PlanInput, to: string) {
  return callsOf(input, 'files.list').find(({ input: asked }) => {
    const { path, limit } = asObject(asked);
    return path === to && limit === 1;
  });
}

function isExistingFolder(input: PlanInput, to: string): boolean {
  return to === '.' || targetCall(input, to)?.output !== undefined;
}

/** Which file goes where. */
function transfersOf(input: PlanInput, parameters: TransferParameters): Transfer[] {
  const { sources, selection, to, isFolder } = parameters;
  const into = (name: string): string => (to === '.' ? name : `${to}/${name}`);
  if (sources.length === 0) {
    // A selection by kind goes into the folder; everything in a folder keeps its subfolders.
    const isFlat = isSpecific(selection) || selection.order !== undefined || selection.places.length !== 1;
    const base = isFlat ? '' : `${realPlace(input, selection.places[0] ?? '.')}/`;
    return (
      selected(input, { ...selection, what: 'files' })
        // What the target holds already stays there, unless the goal names a folder in it.
        .filter(({ path }) => to === '.' || selection.places.length > 0 || !path.startsWith(`${to}/`))
        .map(({ path, bytes }) => ({
          from: path,
          to: into(isFlat ? nameIn(path) : path.slice(base.length)),
          bytes,
        }))
        .filter((one) => one.from !== one.to)
    );
  }
  const existing = isExistingFolder(input, to) || isFolder || sources.length > 1;
  return sources.flatMap((given) => {
    const source = realPlace(input, given);
    const { entries } = surveyOf(input, { places: [given] });
    const [only] = entries;
    if (only?.path === source && only.kind === 'file') {
      const keepsName = existing || (!looksLikeFile(to) && looksLikeFile(source));
      return [{ from: source, to: keepsName ? into(nameIn(source)) : to, bytes: only.bytes }];
    }
    const target = isExistingFolder(input, to) || sources.length > 1 ? into(nameIn(source)) : to;
    return entries
      .filter(({ kind }) => kind === 'file')
      .map(({ path, bytes }) => ({ from: path, to: `${target}${path.slice(source.length)}`, bytes }));
  });
}

function problemWith(input: PlanInput, parameters: TransferParameters, manner: Manner): string | undefined {
  const transfers = transfersOf(input, parameters);
  if (transfers.length > manner.max)
    return `${transfers.length} files are more than the ${manner.max} that can be ${manner.done} at once; name a smaller folder`;
  const twice = sameTarget(transfers);
  if (twice) return `${twice[0].from} and ${twice[1].from} would both become ${twice[0].to}`;
  const inside = transfers.find(({ from, to }) => to.startsWith(`${from}/`));
  return inside && `${inside.from} cannot go into itself`;
}

export function sameTarget(
  transfers: readonly { readonly from: string; readonly to: string }[],
): readonly [{ from: string; to: string }, { from: string; to: string }] | undefined {
  const first = new Map<string, { from: string; to: string }>();
  for (const one of transfers) {
    const other = first.get(one.to);
    if (other) return [other, one];
    first.set(one.to, one);
  }
  return undefined;
}

function report(input: PlanInput, parameters: TransferParameters, manner: Manner): Report {
  const { selection, sources, to } = parameters;
  const transfers = transfersOf(input, parameters);
  const now = sizesNow(
    input,
    transfers.flatMap(({ from, to: target }) => [from, target]),
  );
  const bytes = transfers.reduce((sum, one) => sum + one.bytes, 0);
  const [only] = transfers;
  const answer =
    only === undefined
      ? `No ${sources.length > 0 ? 'file' : nounOf(selection)}${conditions(selection)} was found, so nothing was ${manner.done}.`
      : transfers.length === 1
        ? `${code(only.from)} was ${manner.done} to ${code(only.to)}.`
        : `${sources.length > 0 ? count(transfers.length, 'file') : describeSelection(selection, transfers.length)} ${manner.done} to ${code(to)}, ${sizeText(bytes)} in all.`;
  const { leftOut, outside } = surveyOf(input, sources.length > 0 ? { places: sources } : selection);
  return {
    title: manner.tool === 'files.copy' ? 'Copied files' : 'Moved files',
    answer,
    sections: [
      {
        title: 'Files',
        lines: transfers.length > 1 ? transfers.map((one) => `- ${code(one.from)} to ${code(one.to)}`) : [],
      },
      notIncluded(outside),
    ],
    facts: {
      [manner.done]: transfers.length,
      to,
      files: transfers.slice(0, MAX_FACTS).map((one) => ({ from: one.from, to: one.to })),
    },
    leftOut,
    checks: [
      {
        check: `every file is at its new place with its size`,
        holds: transfers.every((one) => now.get(one.to) === one.bytes),
      },
      {
        check:
          manner.tool === 'files.copy'
            ? 'every original is still there'
            : 'no moved file is at its old place',
        holds: transfers.every((one) => now.has(one.from) === (manner.tool === 'files.copy')),
      },
    ],
  };
}
