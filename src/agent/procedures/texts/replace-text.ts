import type { Decision, Evidence, PlanInput } from '../../../engine/index.ts';
import { asObject, type JsonObject } from '../../../kernel/index.ts';
import type { Goal } from '../../../language/index.ts';
import { plainLine } from '../../describe-text.ts';
import { callsOf, failWith } from '../../findings.ts';
import type { Procedure } from '../../types.ts';
import { digestFile } from '../folder-listing.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, count } from '../markdown-text.ts';
import {
  type Report,
  type ReportParameters,
  reportProcedure,
  resultWrites,
  writeResult,
} from '../report-procedure.ts';
import { refuse } from '../tables/table-source.ts';
import { lookAtFiles, placeText, readPlace, type TextFile, type TextPlace, textsIn } from './text-files.ts';

interface ReplaceParameters extends ReportParameters {
  readonly place: TextPlace;
  readonly old: string;
  readonly new: string;
  /** Only whole words; a quoted text is replaced wherever it stands. */
  readonly words?: true;
  /** Only tell what would change. */
  readonly preview?: true;
}

interface Change extends TextFile {
  readonly after: string;
  readonly amount: number;
}

const MAX_LINES_SHOWN = 30;
const ONE = '(?:@[a-z]\\d+|[^\\s@,]+)';
const NOUN = '(?:(?:the )?(?:word|words|text|string|phrase|name) )?';
const ALL =
  '(?:(?:all|every|each|any|the)? ?(?:occurrences?|instances?|mentions?|uses?) of |all |every |each )?';
const WHERE = '(?: everywhere)? (?:in|inside|within|across|throughout|under|of|for) (?<place>.+?)';
const PREVIEW =
  '(?<preview>preview (?:of )?|show (?:me )?what would (?:change|happen) (?:if (?:you|i|we) )?|simulate )?';
const PATTERNS = [
  `^${PREVIEW}(?:search and replace|find and replace|replace|replacing|substitute|swap|(?<quoted>change|rename)) ${ALL}${NOUN}(?<old>${ONE}) (?:with|by|to|for|into) ${NOUN}(?<new>${ONE})${WHERE}$`,
  `^${PREVIEW}(?:in|inside|within|across|throughout) (?<place>.+?),? (?:replace|substitute|(?<quoted>change)) ${ALL}${NOUN}(?<old>${ONE}) (?:with|by|to) ${NOUN}(?<new>${ONE})$`,
  `^(?:search|find|look) (?:for )?${NOUN}(?<old>${ONE})(?: (?:in|inside|across) (?<place>.+?))? and replace (?:it|them|all|that) (?:with|by) ${NOUN}(?<new>${ONE})(?: (?:in|inside|across) (?<place2>.+?))?$`,
  `^${PREVIEW}(?:replace|substitute) ${ALL}${NOUN}(?<old>${ONE})${WHERE} (?:with|by) ${NOUN}(?<new>${ONE})$`,
].map((pattern) => new RegExp(pattern, 'i'));

/** Replaces a text in files, tells each changed line, and can be undone. */
export const replaceText: Procedure = reportProcedure<ReplaceParameters>({
  name: 'replace-text',
  description:
    'Replaces a text in a file, a folder or all files of a type; shows files, counts and lines, and can be undone.',
  example: 'replace "colour" with "color" in all markdown files',
  triggers: ['replace text files', 'search replace'],
  vocabulary: { needs: [], also: 'replace substitute occurrences everywhere markdown files preview' },
  tools: ['files.list', 'files.read'],
  understand,
  look(input, parameters): Decision | undefined {
    const reading = lookAtFiles(input, parameters.place);
    if (reading) return reading;
    const { isWhole } = textsIn(input, parameters.place);
    if (isWhole || parameters.preview) return undefined;
    return refuse(
      `${placeText(parameters.place)} has more text than can be changed at once; nothing was changed. Name a smaller folder.`,
    );
  },
  effect: writeNext,
  verify,
  report,
  content: (input, parameters, path) =>
    changesIn(input, parameters).find((change) => change.path === path)?.after,
});

function understand(goal: Goal): { said: string; parameters: ReplaceParameters } | undefined {
  const phrase = readPhrase(goal);
  if (phrase === undefined) return undefined;
  for (const pattern of PATTERNS) {
    const groups = pattern.exec(phrase.whole)?.groups;
    if (groups === undefined) continue;
    const { old = '', new: next = '', quoted } = groups;
    const place = readPlace(groups['place'] ?? groups['place2'] ?? '', phrase.plain);
    const isQuoted = old.startsWith('@q');
    // "change version to 2" is about a value, and "replace it" about something said before.
    if (place === undefined || (quoted !== undefined && !isQuoted)) return undefined;
    if (
      !isQuoted &&
      (/^(?:it|them|this|that|the|a|an|all|text|lines?|everything)$/i.test(old) ||
        /^(?:a|an|the|it|something|nothing|one)$/i.test(next))
    )
      return undefined;
    const [from, to] = [phrase.plain(old), phrase.plain(next)];
    if (from === '' || from === to) return undefined;
    return {
      said: phrase.line,
      parameters: {
        place,
        old: from,
        new: to,
        ...(!isQuoted && /^[\p{L}\p{N}_]+$/u.test(from) ? { words: true as const } : {}),
        ...(groups['preview'] === undefined ? {} : { preview: true as const }),
      },
    };
  }
  return undefined;
}

function patternOf({ old, words }: ReplaceParameters, flags: string): RegExp {
  const literal = old.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(words ? `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])` : literal, flags);
}

function changesIn(input: PlanInput, parameters: ReplaceParameters): Change[] {
  const pattern = patternOf(parameters, 'gu');
  return textsIn(input, parameters.place).files.flatMap(({ path, text }) => {
    const amount = [...text.matchAll(pattern)].length;
    return amount === 0
      ? []
      : [{ path, text, amount, after: text.replaceAll(pattern, () => parameters.new) }];
  });
}

function writeNext(input: PlanInput, parameters: ReplaceParameters): Decision | undefined {
  if (parameters.preview) return undefined;
  const writes = resultWrites(input);
  const failed = writes.find(({ failure }) => failure !== undefined);
  if (failed) return failWith(failed);
  const written = new Set(writes.map((write) => asObject(write.input)['path']));
  const next = changesIn(input, parameters).find(({ path }) => !written.has(path));
  return (
    next &&
    writeResult(
      next.path,
      { procedure: 'replace-text', parameters: { ...parameters } as unknown as JsonObject },
      `${next.path} has ${next.amount} of ${JSON.stringify(parameters.old)}`,
    )
  );
}

function verify(input: PlanInput, parameters: ReplaceParameters): Decision | undefined {
  if (parameters.preview) return undefined;
  const seen = new Set(readBacks(input).map((read) => asObject(read.input)['path']));
  const next = changesIn(input, parameters).find(({ path }) => !seen.has(path));
  return next && digestFile(next.path, `${next.path} should have the new text`);
}

function readBacks(input: PlanInput) {
  return callsOf(input, 'files.read').filter(({ state }) => state === 'validate');
}

function report(input: PlanInput, parameters: ReplaceParameters): Report {
  const { place, old, preview } = parameters;
  const changes = changesIn(input, parameters);
  const { files, leftOut } = textsIn(input, place);
  const total = changes.reduce((sum, { amount }) => sum + amount, 0);
  const digestsIn = (facts: readonly Evidence[]): ReadonlyMap<unknown, unknown> =>
    new Map(facts.map((fact) => [asObject(fact.input)['path'], asObject(fact.output)['digest']]));
  const written = digestsIn(resultWrites(input));
  const found = digestsIn(readBacks(input));
  const by = parameters.new === '' ? 'removed' : `replaced with ${code(parameters.new)}`;
  const where =
    place.files?.length === 1 ? placeText(place) : `${count(changes.length, 'file')} of ${placeText(place)}`;
  const times = `${total} ${total === 1 ? 'time' : 'times'}`;
  return {
    title: preview ? 'Preview of the replacement' : 'Replaced text',
    answer:
      total === 0
        ? `${code(old)} does not occur in ${placeText(place)}${parameters.words ? ' as a word' : ''}, so nothing was changed.`
        : preview
          ? `${code(old)} would be ${by} ${times} in ${where}; nothing was changed.`
          : `${code(old)} was ${by} ${times} in ${where}.`,
    sections: [
      ...changes.map((change) => ({
        title: `${code(change.path)}: ${change.amount}`,
        lines: changedLines(change, parameters),
      })),
      { title: 'Remarks', lines: remarksOn(files, parameters, total).map((one) => `- ${one}`) },
    ],
    facts: {
      replaced: preview ? 0 : total,
      found: total,
      files: changes.map(({ path, amount }) => ({ path, amount })).slice(0, 200),
    },
    leftOut,
    checks: [
      { check: 'the files of the goal were read', holds: files.length > 0 || total === 0 },
      ...(preview || total === 0
        ? []
        : [
            {
              check: 'every changed file has the new text, as reading it back has shown',
              holds: changes.every(({ path }) => written.has(path) && found.get(path) === written.get(path)),
            },
          ]),
    ],
  };
}

function changedLines({ text }: Change, parameters: ReplaceParameters): string[] {
  const found = text.split('\n').flatMap((line, i) => {
    const after = line.replaceAll(patternOf(parameters, 'gu'), () => parameters.new);
    return after === line ? [] : [{ line: i + 1, before: line, after }];
  });
  const rest = found.length - MAX_LINES_SHOWN;
  return [
    ...found
      .slice(0, MAX_LINES_SHOWN)
      .map(
        ({ line, before, after }) =>
          `- line ${line}: ${code(plainLine(before, 100))} → ${code(plainLine(after, 100))}`,
      ),
    ...(rest > 0 ? [`- and ${count(rest, 'more line')}`] : []),
  ];
}

function remarksOn(files: readonly TextFile[], parameters: ReplaceParameters, total: number): string[] {
  const countAll = (pattern: RegExp): number =>
    files.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);
  const otherCase = countAll(patternOf(parameters, 'giu')) - total;
  const { words: _, ...anywhere } = parameters;
  const inside = parameters.words ? countAll(patternOf(anywhere, 'gu')) - total : 0;
  return [
    ...(otherCase > 0
      ? [`${otherCase} more with other capital letters ${otherCase === 1 ? 'was' : 'were'} not touched`]
      : []),
    ...(inside > 0
      ? [
          `${inside} inside longer words ${inside === 1 ? 'was' : 'were'} not touched; put the text in quotes to replace these too`,
        ]
      : []),
  ];
}
