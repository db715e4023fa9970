// Owns: the steps that survey files for a procedure, and what the surveys say. Pure.
import type { Decision, Evidence, PlanInput } from '../../engine/index.ts';
import { asObject, type JsonObject } from '../../kernel/index.ts';
import { call, callFor, callsOf, fail, failWith } from '../findings.ts';
import {
  type FileSelection,
  type Period,
  parentOf,
  type SurveyedFile,
  selectFiles,
} from './file-selection.ts';
import { names } from './folder-listing.ts';
import { code } from './markdown-text.ts';

const SURVEY = 'files.survey';
const LIST = 'files.list';

export interface Survey {
  readonly entries: readonly SurveyedFile[];
  readonly period: Period | undefined;
  /** When the survey was made. */
  readonly at: number;
  readonly leftOut: readonly string[];
  readonly isCut: boolean;
}

export interface SurveyOptions {
  readonly digests?: 'same_size' | 'all';
  readonly lines?: boolean;
  readonly ignored?: boolean;
}

/** The next step to survey the places of a selection; undefined when everything is known. */
export function lookAt(
  input: PlanInput,
  { places, modified, problem }: FileSelection,
  options: SurveyOptions = {},
): Decision | undefined {
  if (problem !== undefined) return fail('agent.goal_not_understood', `${problem}.`, 'it is not known');
  for (const place of placesOf(places)) {
    const step = lookAtPlace(input, place, { ...options, ...(modified !== undefined && { modified }) });
    if (step) return step;
  }
  return undefined;
}

/** A folder is also found when the goal writes its name with other capital letters. */
function lookAtPlace(input: PlanInput, place: string, options: SurveyOptions): Decision | undefined {
  const made = exploring(input, SURVEY, place);
  if (made === undefined)
    return call(SURVEY, { path: place, ...options }, `the survey of ${place} tells which files are meant`);
  if (made.failure?.code !== 'files.not_found') return made.failure && failWith(made);
  const parent = parentOf(place);
  const listed = exploring(input, LIST, parent);
  if (listed === undefined)
    return call(LIST, { path: parent, limit: 10_000 }, `${place} may be written otherwise`);
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
  { places }: Pick<FileSelection, 'places'>,
  without?: string,
): Survey {
  const found = placesOf(places).map((place) => {
    const real = realPlace(input, place);
    return { place: real, output: asObject(exploring(input, SURVEY, real)?.output) };
  });
  const lists = (key: string): string[] =>
    found.flatMap(({ output }) => (output[key] as string[] | undefined) ?? []);
  const entries = new Map<string, SurveyedFile>();
  for (const { output } of found)
    for (const entry of (output['entries'] as unknown as SurveyedFile[] | undefined) ?? [])
      if (entry.path !== without) entries.set(entry.path, entry);
  const links = [...entries.values()].filter(({ kind }) => kind === 'link' || kind === 'other');
  const cut = found.filter(({ output }) => output['truncated'] === true);
  const [unreadable, skipped] = [lists('unreadable'), lists('skipped')];
  return {
    entries: [...entries.values()],
    period: found[0]?.output['period'] as Period | undefined,
    at: Number(found[0]?.output['at'] ?? 0),
    isCut: cut.length > 0,
    leftOut: [
      ...cut.map(({ place }) => `${code(place)} holds more entries than were surveyed`),
      ...(unreadable.length > 0 ? [`closed to reading: ${names(unreadable)}`] : []),
      ...(links.length > 0 ? [`not followed: ${names(links.map(({ path }) => path))}`] : []),
      ...(skipped.length > 0 ? [`folders that ignore files exclude: ${names(skipped)}`] : []),
    ],
  };
}

/** The files of a selection. A folder with something that the survey skipped is not empty. */
export function selected(input: PlanInput, selection: FileSelection, without?: string): SurveyedFile[] {
  const { entries, period } = surveyOf(input, selection, without);
  const real = {
    ...selection,
    places: selection.places.map((place) => realPlace(input, place)),
  };
  if (!selection.isEmpty || selection.what === 'files') return selectFiles(entries, real, period);
  const hidden = placesOf(real.places).flatMap(
    (place) => (asObject(exploring(input, SURVEY, place)?.output)['skipped'] as string[] | undefined) ?? [],
  );
  const filled = new Set(hidden.map(parentOf));
  return selectFiles(entries, real, period).filter(({ path }) => !filled.has(path));
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
  const depth = foldersOf(paths)[0] === ALL ? 64 : 1;
  return call(SURVEY, { path: next, depth, limit: 20_000 }, `the survey of ${next} shows whether it is done`);
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
