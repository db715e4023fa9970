import type { Decision, PlanInput } from '../engine/index.ts';
import { asObject, type JsonObject } from '../kernel/index.ts';
import { type Goal, isFiller, looksLikeFile, readGoal, tidyPath } from '../language/index.ts';
import { stem } from '../retrieval/index.ts';
import { type Listing, latestListing, listingLimit, MATCH_LIMIT, surveyOf } from './brief-survey.ts';
import { writeBrief } from './brief-text.ts';
import { call, callFor, callsOf, fail, failWith, goTo } from './findings.ts';
import { chooseKeyFiles } from './key-files.ts';
import { readBack } from './plan-with-tool.ts';
import { MARKERS, searchFor } from './procedures/found-lines.ts';
import { resultWrites, seeing, writeResult } from './procedures/report-procedure.ts';
import type { Procedure } from './types.ts';

const VERBS = ['write', 'make', 'create', 'prepare', 'draft', 'produce', 'give'];
const NOUNS = ['brief', 'summary', 'overview', 'description'];
const SUMMARY_VERBS = ['brief', 'summarise', 'summarize', 'describe'];
/** Words of such goals that do not name a folder. */
const GENERAL_WORDS: ReadonlySet<string> = new Set(
  [
    ...[...VERBS, ...NOUNS, ...SUMMARY_VERBS],
    ...'project workspace repository repo codebase short quick brief folder directory file note'.split(' '),
  ].map(stem),
);
/** Questions that a brief answers; what follows is the folder. */
const QUESTION =
  /^(?:please\s+)?(?:(?:can|could) you\s+)?(?:tell me\s+)?(?:what(?:'s|’s|\s+is|\s+are)\s+(?:in\s+)?(?<about>\S.*?)\s+(?:all\s+)?(?:about|for)|what\s+(?:does|do)\s+(?<does>\S.*?)\s+(?:do|contain)|(?:tell me|what is there to know)\s+about\s+(?<told>\S.*?)|explain\s+(?<explained>\S.*?)(?:\s+to me)?)\s*[?.!]*$/i;
const DEFAULT_TARGET = 'BRIEF.md';
/** A listing that is too large for the record is repeated with the next depth. */
const DEPTHS = [3, 2, 1];
const MAX_BYTES_READ = 16_384;

interface BriefParameters {
  readonly folder: string;
  /** The file for the brief; without one the brief is the output. */
  readonly target?: string | undefined;
}

export const briefFolder: Procedure = {
  name: 'brief-folder',
  description: 'Describes a folder: what it is, its layout, its key files, its scripts and its open TODOs.',
  example: 'write a brief of this folder to BRIEF.md',
  triggers: [...SUMMARY_VERBS, ...VERBS.flatMap((verb) => NOUNS.map((noun) => `${verb} ${noun}`))],
  tools: ['files.list', 'files.read', 'files.search', 'procedures.write'],
  called: (goal) => (questioned(goal) === undefined ? undefined : goal.text),
  parameters: (goal) => (questioned(goal) ?? readParameters(goal)) as JsonObject | undefined,
  plan(input, parameters) {
    const about = parameters as unknown as BriefParameters;
    const listing = latestListing(input, about.target);
    if (listing === undefined)
      return input.state === 'explore' ? list(input, about) : failWithoutListing(input, about);
    switch (input.state) {
      case 'explore':
        return explore(input, about, listing);
      case 'decide':
        if (about.target === undefined) return finish(input, about, listing);
        return goTo(
          'act',
          `a brief of ${listing.files.length} files can be written to ${about.target}; that can be undone`,
        );
      case 'act':
        return act(input, about);
      default:
        return validate(input, about, listing);
    }
  },
  result(evidence, parameters) {
    const about = parameters as unknown as BriefParameters;
    const input = seeing(evidence);
    const listing = latestListing(input, about.target);
    return listing === undefined ? '' : writeBrief(surveyOf(input, about, listing));
  },
};

/** The folder of a question such as "what is this folder about?"; only a path or a word for the workspace is one. */
function questioned(goal: Goal): BriefParameters | undefined {
  const { about, does, told, explained } = QUESTION.exec(goal.text.trim())?.groups ?? {};
  const named = about ?? does ?? told ?? explained;
  if (named === undefined) return undefined;
  const { parts } = readGoal(named);
  const values = parts.filter(({ kind }) => kind === 'path' || kind === 'quoted');
  const [value] = values;
  const words = parts.filter((part) => part.kind === 'word' && !isFiller(part));
  const isWorkspace = words.every(({ text }) => WORKSPACE_WORDS.has(text.toLowerCase()));
  if (values.length > 1 || parts.some(({ kind }) => kind === 'url' || kind === 'number')) return undefined;
  if (value !== undefined)
    return words.length > 0 || looksLikeFile(value.text) ? undefined : { folder: tidyPath(value.text) };
  if (isWorkspace && /\b(?:folder|directory|project|workspace|repo|repository|codebase)\b/i.test(named))
    return { folder: '.' };
  const name = /^(?:the |my |our )?([\w-]+) (?:folder|directory)$/i.exec(named)?.[1];
  return name === undefined ? undefined : { folder: name };
}

const WORKSPACE_WORDS: ReadonlySet<string> = new Set(
  'folder directory project workspace repo repository codebase whole entire current'.split(' '),
);

/** Undefined for a goal about a single file, or about several things. */
function readParameters(goal: Goal): BriefParameters | undefined {
  const others = goal.parts.filter((part) => part !== goal.target && !isFiller(part));
  const values = others.filter((part) => part.kind !== 'word');
  const words = others.filter(
    (part) => part.kind === 'word' && !GENERAL_WORDS.has(stem(part.text.toLowerCase())),
  );
  const subjects = [...values, ...words];
  const folder = tidyPath(subjects[0]?.text ?? '.');
  const isPlace = values.every(({ kind }) => kind === 'path' || kind === 'quoted');
  if (subjects.length > 1 || !isPlace || looksLikeFile(folder)) return undefined;
  const named = goal.target;
  if (named === undefined || (named.kind === 'word' && GENERAL_WORDS.has(stem(named.text.toLowerCase()))))
    return { folder };
  const target = tidyPath(named.text);
  const isFile = looksLikeFile(target) || (named.kind !== 'path' && target !== '.');
  return { folder, target: isFile ? target : tidyPath(`${target}/${DEFAULT_TARGET}`) };
}

function list(input: PlanInput, { folder, target }: BriefParameters): Decision {
  const calls = callsOf(input, 'files.list');
  const last = calls.at(-1);
  if (last?.failure) return failWith(last);
  const depth = DEPTHS[calls.length];
  if (depth === undefined) return failWithoutListing(input, { folder, target });
  return call(
    'files.list',
    { path: folder, depth, limit: listingLimit(target) },
    `the list of ${folder} shows what to read`,
  );
}

function failWithoutListing(input: PlanInput, { folder }: BriefParameters): Decision {
  const last = callsOf(input, 'files.list').at(-1);
  if (last?.failure) return failWith(last);
  const reason = `the list of ${folder} is too large to work with; ask for a brief of one of its folders.`;
  return fail('agent.output_too_large', reason, 'even one level of the folder does not fit the record');
}

function explore(input: PlanInput, { folder, target }: BriefParameters, listing: Listing): Decision {
  const unread = chooseKeyFiles(listing.files, folder).find(
    (path) => callFor(input, 'files.read', path) === undefined,
  );
  if (unread !== undefined) {
    return call('files.read', { path: unread, max_bytes: MAX_BYTES_READ }, `${unread} may explain ${folder}`);
  }
  const marker = MARKERS.find((text) => searchFor(input, text) === undefined);
  if (marker !== undefined) {
    return call(
      'files.search',
      { query: marker, path: folder, limit: MATCH_LIMIT },
      `lines with ${marker} are open tasks`,
    );
  }
  return goTo(
    'decide',
    `enough is known about ${folder}${target === undefined ? '' : ` to write ${target}`}`,
  );
}

function act(input: PlanInput, about: BriefParameters): Decision {
  const last = resultWrites(input).at(-1);
  if (last?.failure) return failWith(last);
  const result = { procedure: 'brief-folder', parameters: { ...about } as JsonObject };
  const rationale = `everything for the brief of ${about.folder} has been gathered`;
  return { ...writeResult(about.target ?? DEFAULT_TARGET, result, rationale), then: 'validate' };
}

function validate(input: PlanInput, about: BriefParameters, listing: Listing): Decision {
  const { digest } = asObject(resultWrites(input).at(-1)?.output);
  return readBack(input, about.target ?? DEFAULT_TARGET, String(digest)) ?? finish(input, about, listing);
}

function finish(input: PlanInput, { folder, target }: BriefParameters, listing: Listing): Decision {
  const survey = surveyOf(input, { folder, target }, listing);
  const facts = {
    folder,
    files: listing.files.length,
    read: survey.reads.filter((read) => read.content !== undefined).length,
    todos: survey.todos.length,
  };
  if (target === undefined)
    return {
      kind: 'finish',
      output: { ...facts, report: writeBrief(survey) },
      rationale: 'the goal names no file',
    };
  const { bytes = 0, digest = '' } = asObject(resultWrites(input).at(-1)?.output);
  return {
    kind: 'finish',
    output: { brief: target, ...facts, bytes, digest },
    rationale: `${target} holds the brief, as reading it back has shown`,
  };
}
