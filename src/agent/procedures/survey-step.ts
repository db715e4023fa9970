// Owns: the steps that survey files for a procedure, and what the surveys say. Pure.

import type { Decision, Evidence, PlanInput } from '../../engine/index.ts';
import { asObject, type JsonObject } from '../../kernel/index.ts';
import {
  type FileSelection,
  type Period,
  parentOf,
  type SurveyedFile,
  selectFiles,
} from '../../language/index.ts';
import { call, callFor, callsOf, fail, failWith, NO_LIMIT } from '../findings.ts';
import { names } from './folder-listing.ts';

const SURVEY = 'files.survey';
const LIST = 'files.list';

interface Sums {
  readonly files: number;
  readonly bytes: number;
  /** Files whose lines were counted. */
  readonly texts: number;
  readonly lines: number;
  readonly blank: number;
}

/** What the surveys of a selection's places say together. */
export interface Survey {
  /** The entries that fit the selection, or all if the survey was not made for one. */
  readonly entries: readonly SurveyedFile[];
  /** Counts and sums of everything that fits, returned as an entry or not. */
  readonly totals: Sums & { readonly folders: number; readonly empty: number };
  readonly byExtension: readonly (Sums & { readonly extension: string })[];
  readonly byFolder: readonly (Sums & { readonly folder: string })[];
  /** All files of the places, whether they fit or not. */
  readonly all: { readonly files: number; readonly bytes: number };
  readonly period: Period | undefined;
  /** When the survey was made. */
  readonly at: number;
  /** What could not be seen, so that something may be missing. */
  readonly leftOut: readonly string[];
  /** What is not meant by the goal: links, and folders that ignore files exclude. */
  readonly outside: readonly string[];
}

export interface SurveyOptions {
  readonly digests?: 'same_size' | 'all';
  readonly lines?: boolean;
  readonly ignored?: boolean;
  /** Only what fits the selection is returned and counted. */
  readonly select?: boolean;
  /** The number of entries to return, if not all. */
  readonly limit?: number | undefined;
  /** A file that an earlier run may have written. */
  readonly without?: string | undefined;
}

/** The next step to survey the places of a selection; undefined when everything is known. */
export function lookAt(
  input: PlanInput,
  selection: FileSelection,
  { select = false, limit = select ? selection.most : undefined, without, ...options }: SurveyOptions = {},
): Decision | undefined {
  const { places, modified, problem } = selection;
  if (problem !== undefined) return fail('agent.goal_not_understood', `${problem}.`, 'it is not known');
  const asked = {
    ...options,
    ...(select && { select: conditionsOf(selection) }),
    ...(modified !== undefined && { modified }),
    ...(limit !== undefined && { limit }),
    ...(without !== undefined && { without }),
  };
  for (const place of placesOf(places)) {
    const step = lookAtPlace(input, place, asked);
    if (step) return step;
  }
  return undefined;
}

/** The conditions of a selection that a survey can check. */
function conditionsOf(selection: FileSelection): JsonObject {
  const { what, extensions, names: named, above, below, isEmpty, except, isShallow, order } = selection;
  const given = { what, extensions, names: named, above, below, isEmpty, except, isShallow, order };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** A folder is also found when the goal writes its name with other capital letters. */
function lookAtPlace(input: PlanInput, place: string, options: JsonObject): Decision | undefined {
  const made = exploring(input, SURVEY, place);
  if (made === undefined)
    return call(SURVEY, { path: place, ...options }, `the survey of ${place} tells which files are meant`);
  if (made.failure?.code !== 'files.not_found') return made.failure && failWith(made);
  const parent = parentOf(place);
  const listed = exploring(input, LIST, parent);
  if (listed === undefined)
    return call(LIST, { path: parent, limit: NO_LIMIT }, `${place} may be written otherwise`);
  const real = realPlace(input, place);
  if (real === place) return failWith(made);
  const again = exploring(input, SURVEY, real);
  if (again?.failure) return failWith(again);
  return again ? undefined : call(SURVEY, { path: real, ...options }, `${place} is written ${real}`);
}

/** The spelling of a place on disk, as far as it is known. */
export function realPlace(input: PlanInput, place: string): string {
  if (exploring(input, SURVEY, place)?.failure?.code !== 'files.not_found') return place;
  const { entries } = asObject(exploring(input, LIST, parentOf(place))?.output);
  const paths = Array.isArray(entries) ? entries.map((entry) => String(asObject(entry)['path'])) : [];
  const same = paths.filter((path) => path.toLowerCase() === place.toLowerCase());
  return same.length === 1 ? (same[0] as string) : place;
}

/** What the surveys of a selection's places say together. */
export function surveyOf(
  input: PlanInput,
  { places, isShallow }: Pick<FileSelection, 'places' | 'isShallow'>,
  without?: string,
): Survey {
  const outputs = distinct(
    placesOf(places).map((place) => asObject(exploring(input, SURVEY, realPlace(input, place))?.output)),
    isShallow === true,
  );
  const lists = <Item = string>(key: string, of: (output: JsonObject) => JsonObject = same): Item[] =>
    outputs.flatMap((output) => (of(output)[key] as Item[] | undefined) ?? []);
  const sum = (part: string, key: string): number =>
    outputs.reduce((total, output) => total + Number(asObject(output[part] ?? null)[key] ?? 0), 0);
  const entries = new Map(
    lists<SurveyedFile>('entries')
      .filter(({ path }) => path !== without)
      .map((entry) => [entry.path, entry]),
  );
  const totalsIn = (output: JsonObject): JsonObject => asObject(output['totals'] ?? null);
  const [unreadable, skipped, links] = [lists('unreadable'), lists('skipped'), lists('links')];
  return {
    entries: [...entries.values()],
    totals: {
      files: sum('totals', 'files'),
      folders: sum('totals', 'folders'),
      empty: sum('totals', 'empty'),
      bytes: sum('totals', 'bytes'),
      texts: sum('totals', 'texts'),
      lines: sum('totals', 'lines'),
      blank: sum('totals', 'blank'),
    },
    byExtension: lists('by_extension', totalsIn),
    byFolder: lists('by_folder', totalsIn),
    all: { files: sum('all', 'files'), bytes: sum('all', 'bytes') },
    period: outputs[0]?.['period'] as Period | undefined,
    at: Number(outputs[0]?.['at'] ?? 0),
    leftOut: unreadable.length > 0 ? [`closed to reading: ${names(unreadable)}`] : [],
    outside: [
      ...(links.length > 0 ? [`not followed: ${names(links)}`] : []),
      ...(skipped.length > 0 ? [`folders that ignore files exclude: ${names(skipped)}`] : []),
    ],
  };
}

const same = (output: JsonObject): JsonObject => output;

/** The surveys without those of a folder that another of them saw too. */
function distinct(outputs: readonly JsonObject[], isShallow: boolean): readonly JsonObject[] {
  const isIn = (path: string, folder: string): boolean => folder === '.' || path.startsWith(`${folder}/`);
  return outputs.filter(({ path }, i) => {
    const own = String(path);
    return !outputs.some(({ path: folder, skipped }, k) => {
      if (own === folder || isShallow) return own === folder && k < i;
      const closed = (skipped as string[] | undefined) ?? [];
      return isIn(own, String(folder)) && !closed.some((one) => own === one || isIn(own, one));
    });
  });
}

/** The files of a selection. */
export function selected(input: PlanInput, selection: FileSelection, without?: string): SurveyedFile[] {
  const { entries, period } = surveyOf(input, selection, without);
  const places = selection.places.map((place) => realPlace(input, place));
  return selectFiles(entries, { ...selection, places }, period);
}

/** An answer that names a lower bound, if something could not be seen. */
export function bounded(answer: string, leftOut: readonly string[]): string {
  if (leftOut.length === 0) return answer;
  const amount = answer.replace(/^There (?:is|are) /, '');
  return /^\d/.test(amount) ? `At least ${amount}` : `At least as far as could be read: ${answer}`;
}

/** What a report is not about, as a section of it. */
export function notIncluded(outside: readonly string[]): { title: string; lines: string[] } {
  return { title: 'Not included', lines: outside.map((one) => `- ${one}`) };
}

export function placesOf(places: readonly string[]): readonly string[] {
  return places.length === 0 ? ['.'] : places;
}

/** The newest call for a path before anything was changed. */
function exploring(input: PlanInput, tool: string, path: string): Evidence | undefined {
  return callsOf(input, tool).find(
    ({ input: asked, state }) => state === 'explore' && asObject(asked)['path'] === path,
  );
}

/** The one call that changes something; undefined when it was made. */
export function changeOnce(
  input: PlanInput,
  tool: string,
  asked: JsonObject,
  why: string,
): Decision | undefined {
  const made = callsOf(input, tool).findLast(({ state }) => state === 'act');
  if (made?.failure) return failWith(made);
  return made ? undefined : call(tool, asked, why);
}

/** The next step to see what is in these folders now; undefined when all were seen. */
export function seeFolders(input: PlanInput, paths: readonly string[]): Decision | undefined {
  const next = foldersOf(paths).find((folder) => seen(input, folder) === undefined);
  if (next === undefined) return undefined;
  const isAll = next === ALL && paths.some((path) => parentOf(path) !== ALL);
  const asked = { path: next, ignored: true, ...(!isAll && { depth: 1 }) };
  return call(SURVEY, asked, `the survey of ${next} shows whether it is done`);
}

/** What is at these paths now: the size of each file, 0 for folders; nothing for what is not there. */
export function sizesNow(input: PlanInput, paths: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const folder of foldersOf(paths)) {
    const { entries } = asObject(seen(input, folder)?.output);
    for (const entry of (entries as unknown as SurveyedFile[] | undefined) ?? [])
      found.set(entry.path, entry.bytes);
  }
  return found;
}

const ALL = '.';
const MAX_FOLDERS = 30;

function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = [...new Set(paths.map(parentOf))].sort();
  return folders.length > MAX_FOLDERS ? [ALL] : folders;
}

function seen(input: PlanInput, folder: string): Evidence | undefined {
  const made = callFor(input, SURVEY, folder);
  return made?.state === 'validate' ? made : undefined;
}
