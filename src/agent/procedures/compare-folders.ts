import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import {
  type Goal,
  type GoalPart,
  looksLikeFile,
  type SurveyedFile,
  tidyPath,
} from '../../language/index.ts';
import { call, callFor, fail, failWith } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { fileRead, loadDiff, readWhole, reportFiles } from './compare-files.ts';
import { comparedPlaces } from './compared-places.ts';
import { listFolder, listingOf, names } from './folder-listing.ts';
import { code, count } from './markdown-text.ts';
import { isCommonNoun } from './places-in-goal.ts';
import { readTask, type Vocabulary } from './read-task.ts';
import { type ReportParameters, reportProcedure } from './report-procedure.ts';
import { bounded, notIncluded } from './survey-step.ts';

interface CompareParameters extends ReportParameters {
  readonly one: string;
  readonly other: string;
}

const SURVEY = 'files.survey';
const VOCABULARY: Vocabulary = {
  needs: ['compare diff difference differ different comparison'],
  also: `folder directory content against versus vs between two file with from equal same missing only way
    tree`,
  folderAfterTo: true,
};

const JOINS: ReadonlySet<string> = new Set(
  'and with against versus vs between folder folders directory directories'.split(' '),
);

const compare: Procedure = reportProcedure<CompareParameters>({
  name: 'compare-folders',
  description:
    'Compares two folders or two files: what is only in one of them, what differs line by line, what is equal.',
  example: 'compare the folders src and backup',
  triggers: ['compare folders', 'compare files', 'diff folders', 'diff files', 'show differences folders'],
  vocabulary: VOCABULARY,
  tools: ['files.list', 'files.read', SURVEY],
  understand,
  look,
  report: (input, parameters) =>
    kindOf(input, parameters.one) === 'file'
      ? reportFiles(input, parameters)
      : reportComparison(input, parameters),
});

/** Compares two folders or two files. */
export const compareFolders: Procedure = {
  ...compare,
  plan: async (input, parameters) => {
    await loadDiff();
    return compare.plan(input, parameters);
  },
};

function look(input: PlanInput, { one, other, note }: CompareParameters): Decision | undefined {
  for (const place of [one, other]) {
    const unknown = lookAt(input, place);
    if (unknown) return unknown;
  }
  const [first, second] = [kindOf(input, one), kindOf(input, other)];
  if (first !== second) {
    const reason = `${one} is a ${first} and ${other} is a ${second}; name two folders or two files.`;
    return fail('agent.goal_not_understood', reason, 'only places of one kind can be compared');
  }
  if (first === 'file') return undefined;
  const { toRead } = comparison(input, { one, other, note });
  const unknown = [one, other].find((folder) => callFor(input, SURVEY, folder) === undefined);
  if (toRead.length > 0 && unknown !== undefined)
    return call(
      SURVEY,
      { path: unknown, digests: 'all', ignored: true },
      `${count(toRead.length, 'file')} has the same size in both folders`,
    );
  const failed = [one, other].map((folder) => callFor(input, SURVEY, folder)).find((made) => made?.failure);
  return failed && failWith(failed);
}

/** The read that tells whether a place is a file or a folder; a name with an extension is read first. */
function lookAt(input: PlanInput, place: string): Decision | undefined {
  const [list, read] = [callFor(input, 'files.list', place), callFor(input, 'files.read', place)];
  const isFolder = read?.failure?.code === 'files.not_a_file';
  const isFile = list?.failure?.code === 'files.not_a_folder';
  const readsFirst = looksLikeFile(place) && list === undefined;
  if (isFile || (readsFirst && !isFolder)) {
    if (read === undefined) return readWhole(place);
    return fileRead(place, read) === undefined ? failWith(read) : undefined;
  }
  return listFolder(input, place, `the list of ${place} tells its files`);
}

function kindOf(input: PlanInput, place: string): 'file' | 'folder' {
  return fileRead(place, callFor(input, 'files.read', place)) === undefined ? 'folder' : 'file';
}

function understand(goal: Goal): { said: string; parameters: CompareParameters } | undefined {
  const named = comparedPlaces(goal.text);
  if (named) return { said: goal.verb ?? 'compare', parameters: named };
  const task = readTask(goal, VOCABULARY);
  if (!task) return undefined;
  const parts = [...task.rest, ...joinedWords(goal)];
  const words = parts.map((part) => (part.kind === 'word' || part.kind === 'quoted' ? part.text : ''));
  const inOrder = goal.parts.map(({ text }) => tidyPath(text));
  const folders = [...task.places, ...words.map(tidyPath)].sort(
    (a, b) => inOrder.indexOf(a) - inOrder.indexOf(b),
  );
  const [one, other, ...others] = folders;
  if (one === undefined || other === undefined || others.length > 0 || words.includes('')) return undefined;
  // A bare word is a folder only if the goal says so, or says nothing else.
  const sure =
    (task.places.length > 0 && !/\bhow many\b/i.test(goal.text)) ||
    ['compare', 'diff'].includes(goal.verb ?? '') ||
    /\b(?:folders?|director(?:y|ies))\b/i.test(goal.text);
  if (!sure || one === other) return undefined;
  return { said: task.said, parameters: { one, other, note: task.note } };
}

/** Common words such as "notes" next to a word that joins the two folders. */
function joinedWords({ parts }: Goal): GoalPart[] {
  const joins = (part: GoalPart | undefined): boolean =>
    part?.kind === 'word' && JOINS.has(part.text.toLowerCase());
  return parts.filter(
    (part, i) => isCommonNoun(part) && (joins(parts[i - 1]) || joins(parts[i + 1])) && !joins(part),
  );
}

interface Comparison {
  readonly onlyOne: readonly string[];
  readonly onlyOther: readonly string[];
  readonly otherSize: readonly string[];
  /** Names in both with the same size, so that their contents decide. */
  readonly toRead: readonly string[];
}

function comparison(input: PlanInput, { one, other, note }: CompareParameters): Comparison {
  const left = below(input, one, other, note);
  const right = below(input, other, one, note);
  const both = [...left.keys()].filter((name) => right.has(name)).sort();
  return {
    onlyOne: [...left.keys()].filter((name) => !right.has(name)).sort(),
    onlyOther: [...right.keys()].filter((name) => !left.has(name)).sort(),
    otherSize: both.filter((name) => left.get(name) !== right.get(name)),
    toRead: both.filter((name) => left.get(name) === right.get(name)),
  };
}

/** Sizes by the path below the folder, without the other folder if it is inside this one. */
function below(
  input: PlanInput,
  folder: string,
  other: string,
  note: string | undefined,
): Map<string, number> {
  const { path: real, files } = listingOf(input, folder, note);
  const inside = `${listingOf(input, other).path}/`;
  const prefix = real === '.' ? '' : `${real}/`;
  const own = files.filter(
    ({ path }) => !inside.startsWith(prefix) || inside === prefix || !path.startsWith(inside),
  );
  return new Map(own.map(({ path, bytes }) => [path.slice(prefix.length), bytes]));
}

/** The path of a name in each of the folders. */
function places(input: PlanInput, one: string, other: string, name: string): string[] {
  return [one, other].map((folder) => {
    const { path } = listingOf(input, folder);
    return path === '.' ? name : `${path}/${name}`;
  });
}

function reportComparison(input: PlanInput, parameters: CompareParameters) {
  const { one, other } = parameters;
  const { onlyOne, onlyOther, otherSize, toRead } = comparison(input, parameters);
  const digests = new Map(
    [one, other].flatMap((folder) =>
      ((asObject(callFor(input, SURVEY, folder)?.output)['entries'] ?? []) as unknown as SurveyedFile[]).map(
        ({ path, digest }) => [path, digest] as const,
      ),
    ),
  );
  const pairs = toRead.map((name) => {
    const [a, b] = places(input, one, other, name).map((path) => digests.get(path));
    return { name, a, b };
  });
  const readable = pairs.filter(({ a, b }) => a !== undefined && b !== undefined);
  const unreadable = pairs.filter((pair) => !readable.includes(pair)).map(({ name }) => name);
  const different = [...otherSize, ...readable.filter(({ a, b }) => a !== b).map(({ name }) => name)].sort();
  const equal = readable.filter(({ a, b }) => a === b).map(({ name }) => name);
  const listings = [one, other].map((folder) => listingOf(input, folder));
  const leftOut = [
    ...listings.flatMap((listing) => listing.leftOut),
    ...(unreadable.length > 0 ? [`not compared, as they could not be read: ${names(unreadable)}`] : []),
  ];
  const same = onlyOne.length + onlyOther.length + different.length + leftOut.length === 0;
  return {
    title: `${one} compared with ${other}`,
    answer: bounded(
      same
        ? `The folders hold the same ${count(equal.length, 'file')}.`
        : `${count(onlyOne.length, 'file')} only in ${code(one)}, ${onlyOther.length} only in ${code(other)}, ${different.length} different, ${equal.length} equal.`,
      leftOut,
    ),
    sections: [
      section(`Only in ${code(one)}`, onlyOne),
      section(`Only in ${code(other)}`, onlyOther),
      section('Different', different),
      section('Equal', equal),
      notIncluded([
        ...listings.flatMap(({ outside }) => outside),
        'what ignore files such as .gitignore leave out',
      ]),
    ],
    facts: {
      one,
      other,
      same,
      onlyInOne: onlyOne.slice(0, 50),
      onlyInOther: onlyOther.slice(0, 50),
      different: different.slice(0, 50),
      amounts: { onlyInOne: onlyOne.length, onlyInOther: onlyOther.length, different: different.length },
      equal: equal.length,
    },
    leftOut,
    checks: [
      {
        check: 'every file of both folders is reported once',
        holds:
          onlyOne.length + different.length + equal.length + unreadable.length ===
          below(input, one, other, parameters.note).size,
      },
      {
        check: 'no file is called equal without its digest',
        holds: readable.length + unreadable.length === pairs.length,
      },
    ],
  };
}

function section(title: string, files: readonly string[]): { title: string; lines: string[] } {
  return { title, lines: files.map((name) => `- ${code(name)}`) };
}
