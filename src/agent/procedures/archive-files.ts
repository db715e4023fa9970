import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import {
  type FileSelection,
  type Goal,
  isSpecific,
  nameIn,
  parentOf,
  type SurveyedFile,
} from '../../language/index.ts';
import { callsOf, fail } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { GoalText, pathOf } from './goal-text.ts';
import { code, count, sizeText } from './markdown-text.ts';
import { takeSelection } from './read-selection.ts';
import { takeSources } from './read-sources.ts';
import { type ReportParameters, reportProcedure } from './report-procedure.ts';
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

interface ArchiveParameters extends ReportParameters {
  readonly selection: FileSelection;
  readonly sources: readonly string[];
  readonly to: string;
  /** The goal names the archive, so one that exists may be replaced. */
  readonly isNamed: boolean;
}

interface UnpackParameters extends ReportParameters {
  readonly archive: string;
  readonly to: string;
}

const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz)$/i;
const MAX_FILES = 5_000;
const PACK = 'files.archive';
const UNPACK = 'files.unpack';

export const archiveFiles: Procedure = reportProcedure<ArchiveParameters>({
  name: 'archive-files',
  description: 'Packs files or folders into a zip or tar.gz archive.',
  example: 'zip the folder docs into docs.zip',
  triggers: ['zip files', 'archive folder', 'compress files', 'pack files'],
  vocabulary: { needs: [], also: 'zip archive compress pack folder' },
  tools: ['files.survey', 'files.list', PACK],
  understand: understandPacking,
  look: lookForPacking,
  effect(input, parameters) {
    const { files, folder } = filesToPack(input, parameters);
    if (files.length === 0) return undefined;
    const from = files.map(({ path }) => path);
    const asked = { from, to: parameters.to, folder, replace: parameters.isNamed };
    return changeOnce(input, PACK, asked, `${count(files.length, 'file')} can be packed`);
  },
  verify: (input, { to }) => (callsOf(input, PACK).length === 0 ? undefined : seeFolders(input, [to])),
  report: reportPacked,
});

function understandPacking(goal: Goal): { said: string; parameters: ArchiveParameters } | undefined {
  const text = new GoalText(goal);
  const verb =
    text.take(
      '(?:create|make|build|write) (?:an? |the )?(?<kind>zip|tar|tar\\.gz|tgz|§p)? ?(?:archive|zip|zip file|tarball|file|backup)? ?(?:of|from|with|out of|containing)',
      (found) => /zip|tar|archive|tgz/.test(found.text),
    ) ?? text.take('(?:zip up|zip|archive|compress|pack up|pack|tar up|tar|gzip|bundle)(?: up)?');
  if (!verb) return undefined;
  const target = text.take(
    '(?:(?:in)?to|as|called|named|in) (?:an? |the )?(?:(?:zip|tar|archive|file|zip file|zip archive|archive file) )*(?:(?:called|named) )?(?<to>§[pq])',
    ({ get }) => ARCHIVE.test(get('to') ?? ''),
  );
  const isTar =
    /tar|tgz|gzip/.test(verb.text) ||
    text.take('(?:(?:in)?to|as) (?:an? )?(?:tarball|tar archive|tar|tar file)') !== undefined;
  text.take('(?:(?:in)?to|as) (?:an? )?(?:zip|zip archive|zip file|archive|archive file)');
  const sources = takeSources(text);
  const drawn = takeSelection(text);
  const bare =
    sources.length === 0 && !drawn.hasNoun && drawn.places.length === 0 && !isSpecific(drawn)
      ? text.take(
          '(?:the |my )?(?<source>(?!(?:it|them|this|that|everything|the|my)(?![^\\s|]))[^\\s|,§]+)(?= )',
        )
      : undefined;
  const named = bare?.get('source');
  const isWhole = !drawn.hasNoun && !isSpecific(drawn) && drawn.places.length > 0;
  const paths = named !== undefined ? [pathOf(named)] : isWhole ? [...sources, ...drawn.places] : sources;
  const selection = isWhole ? { ...drawn, places: [] } : drawn;
  if (!text.isRead()) return undefined;
  const said = target?.get('to');
  if (paths.length > 0 && (selection.hasNoun || isSpecific(selection))) return undefined;
  if (paths.length === 0 && !selection.hasNoun) return undefined;
  if (paths.some((path) => ARCHIVE.test(path))) return undefined;
  const base =
    paths.length === 1
      ? nameIn(paths[0] as string).replace(/\.[^.]+$/, '')
      : (selection.kinds[0]?.replace(/^\./, '') ?? selection.places[0]?.replaceAll('/', '-') ?? 'archive');
  const to = said === undefined ? `${base}${isTar ? '.tar.gz' : '.zip'}` : pathOf(said);
  return {
    said: verb.text.trim(),
    parameters: { selection, sources: paths, to, isNamed: said !== undefined },
  };
}

function lookForPacking(input: PlanInput, parameters: ArchiveParameters): Decision | undefined {
  const { selection, sources } = parameters;
  const step =
    sources.length > 0
      ? lookAt(input, { ...selection, places: sources })
      : lookAt(input, { ...selection, what: 'files' }, { select: true });
  if (step) return step;
  const { files } = filesToPack(input, parameters);
  if (files.length <= MAX_FILES) return undefined;
  return fail(
    'agent.not_confirmed',
    `there are more than the ${MAX_FILES} files that can be packed at once; name a smaller folder. Nothing was packed.`,
    'there are too many files',
  );
}

/** The files, and the folder that names in the archive are relative to: the one that holds the packed folder. */
function filesToPack(
  input: PlanInput,
  { selection, sources, to }: ArchiveParameters,
): { files: SurveyedFile[]; folder: string } {
  if (sources.length === 0)
    return {
      files: selected(input, { ...selection, what: 'files' }).filter(({ path }) => path !== to),
      folder: '.',
    };
  const { entries } = surveyOf(input, { places: sources });
  const files = entries.filter(({ kind, path }) => kind === 'file' && path !== to);
  return { files, folder: sources.length === 1 ? parentOf(realPlace(input, sources[0] as string)) : '.' };
}

function reportPacked(input: PlanInput, parameters: ArchiveParameters) {
  const { selection, sources, to } = parameters;
  const { files } = filesToPack(input, parameters);
  const output = asObject(callsOf(input, PACK).at(-1)?.output);
  const now = sizesNow(input, [to]);
  const bytes = Number(output['bytes'] ?? 0);
  const what = sources.length > 0 ? count(files.length, 'file') : describeSelection(selection, files.length);
  const empty =
    sources.length > 0
      ? `${sources.map(code).join(' and ')} holds no files`
      : `No ${nounOf(selection)}${conditions(selection)} was found`;
  const { leftOut, outside } = surveyOf(input, sources.length > 0 ? { places: sources } : selection);
  return {
    title: 'Archive',
    answer:
      files.length === 0
        ? `${empty}, so nothing was packed.`
        : `${what}, ${sizeText(totalBytes(files))} in all, packed into ${code(to)} (${sizeText(bytes)}).`,
    sections: [
      { title: 'Files', lines: files.map(({ path }) => `- ${code(path)}`) },
      notIncluded([...outside, 'folders without files']),
    ],
    facts: { archive: files.length === 0 ? null : to, files: files.length, bytes },
    leftOut,
    checks: [
      { check: `${to} is there with its size`, holds: files.length === 0 || now.get(to) === bytes },
      {
        check: 'every file is in the archive',
        holds: files.length === 0 || output['files'] === files.length,
      },
    ],
  };
}

export const unpackArchive: Procedure = reportProcedure<UnpackParameters>({
  name: 'unpack-archive',
  description: 'Unpacks a zip or tar archive into a folder; never replaces a file.',
  example: 'unpack photos.zip into photos',
  triggers: ['unzip archive', 'unpack archive', 'extract archive'],
  vocabulary: { needs: [], also: 'unzip unpack extract decompress' },
  tools: [UNPACK, 'files.survey'],
  understand: understandUnpacking,
  look: () => undefined,
  effect: (input, { archive, to }) =>
    changeOnce(input, UNPACK, { path: archive, to }, `${archive} is to be unpacked`),
  verify(input) {
    const names = namesIn(input);
    return names.length === 0 ? undefined : seeFolders(input, names);
  },
  report: reportUnpacked,
});

function understandUnpacking(goal: Goal): { said: string; parameters: UnpackParameters } | undefined {
  const text = new GoalText(goal);
  const verb = text.take('(?:unzip|unpack|extract|untar|decompress|uncompress|expand)');
  const phrase = text.take(
    '(?:(?:all )?(?:the )?(?:files|contents|content|everything) (?:of|from|in) )?(?:the )?(?:(?:zip|tar|archive|file|zip file|zip archive) )*(?<archive>§[pq])',
    ({ get }) => ARCHIVE.test(get('archive') ?? ''),
  );
  if (!verb || !phrase) return undefined;
  const target = text.take(
    '(?:(?:in)?to|in) (?:an? |the |my )?(?:new )?(?:(?:folder|directory) )?(?:(?:called|named) )?(?<to>§[pq]|(?!here(?![^\\s|]))[^\\s|,§]+)(?: (?:folder|directory))?',
  );
  const isHere = text.take('here') !== undefined;
  if (!text.isRead()) return undefined;
  const archive = pathOf(phrase.get('archive') ?? '');
  const said = target?.get('to');
  const to = said === undefined ? (isHere ? parentOf(archive) : archive.replace(ARCHIVE, '')) : pathOf(said);
  return { said: verb.text, parameters: { archive, to } };
}

function namesIn(input: PlanInput): readonly string[] {
  const { names } = asObject(callsOf(input, UNPACK).at(-1)?.output);
  return Array.isArray(names) ? names.map(String) : [];
}

function reportUnpacked(input: PlanInput, { archive, to }: UnpackParameters) {
  const { files = 0, bytes = 0, skipped } = asObject(callsOf(input, UNPACK).at(-1)?.output);
  const names = namesIn(input);
  const now = sizesNow(input, names);
  const links = Array.isArray(skipped) ? skipped.map(String) : [];
  return {
    title: 'Unpacked archive',
    answer: `${count(Number(files), 'file')} of ${code(archive)} unpacked into ${code(to)}, ${sizeText(Number(bytes))} in all.`,
    sections: [
      {
        title: 'Files',
        lines: names.map((name) => `- ${code(name)}`),
      },
    ],
    facts: { archive, to, files: Number(files), bytes: Number(bytes) },
    leftOut:
      links.length > 0
        ? [`links and other entries of the archive: ${links.slice(0, 5).map(code).join(', ')}`]
        : [],
    checks: [{ check: 'the unpacked files are there', holds: names.every((name) => now.has(name)) }],
  };
}
