import type { Decision, PlanInput } from '../../../engine/index.ts';
import { type Json, parseJson } from '../../../kernel/index.ts';
import type { Goal } from '../../../language/index.ts';
import type { Procedure } from '../../types.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, count } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from '../report-procedure.ts';
import { readQuestion } from '../tables/figure-goal.ts';
import { readRowsTask } from '../tables/rows-goal.ts';
import { isKeyOfJson } from '../tables/table-figures.ts';
import { refuse } from '../tables/table-source.ts';
import { type FoundValue, findValues, problemInJson } from './json-text.ts';
import { lookAtFiles, textsIn } from './text-files.ts';

interface ValueParameters extends ReportParameters {
  readonly file: string;
  readonly key: string;
}

const ASK =
  /^(?:what(?:'s| is| are| does it say (?:for|about))?|which|show(?: me)?|get|read|print|tell me|tell|give(?: me)?|list|find|look up|display)(?: (?:the|all|all the|its))? (?:(?:current )?value (?:of|for|under) (?:the )?)?(?:key |field |property |setting )?(?<key>.+?)(?: (?:key|field|property|setting|value|entry|section))?(?: (?:is|are|set to|there|defined|listed|say|stand))*$/i;
const NOT_KEYS =
  /^(?:structure|schema|shape|columns?|fields?|summary|overview|contents?|lines?|rows?|size|first .*|last .*|top .*|number of .*|headings?|links?|keys?|values?|errors?|problems?|data|file|it|this|everything|text|format|statistics|stats)$/i;
const MAX_SHOWN = 4_000;
const MAX_VALUES = 20;

/** Tells a value of a JSON file. */
export const jsonValue: Procedure = reportProcedure<ValueParameters>({
  name: 'json-value',
  description: 'Tells the value of a key in a JSON file, also of a nested one.',
  example: 'what is the version in package.json',
  triggers: ['get value json', 'show key json'],
  vocabulary: { needs: [], also: 'value setting property' },
  tools: ['files.read'],
  understand(goal: Goal) {
    const phrase = readPhrase(goal);
    const { sources = [], line = '', target } = phrase ?? {};
    const file = sources.at(-1);
    if (!phrase || file === undefined || sources.length > 2 || target !== undefined) return undefined;
    if (!/\.(?:json|webmanifest)$/i.test(file)) return undefined;
    // A key such as scripts.test is read as a path.
    if (sources.length === 2)
      return /^(?:what(?:'s| is)?|show|get|read|print|find|give)(?: me)?(?: the)?$/i.test(line)
        ? { said: line, parameters: { file, key: sources[0] ?? '' } }
        : undefined;
    const key = ASK.exec(line)?.groups?.['key'];
    if (key === undefined || NOT_KEYS.test(key)) return undefined;
    const question = readQuestion(phrase);
    if (question !== undefined && !isKeyOfJson(question, line, file)) return undefined;
    if (readRowsTask(phrase, file) !== undefined) return undefined;
    return { said: line, parameters: { file, key: phrase.plain(key) } };
  },
  look(input, parameters): Decision | undefined {
    const { file, key } = parameters;
    const reading = lookAtFiles(input, { files: [file] });
    if (reading) return reading;
    const { files, isWhole } = textsIn(input, { files: [file] });
    const text = files[0]?.text ?? '';
    const problem = isWhole ? problemInJson(text) : 'it is too large';
    if (problem !== undefined) return refuse(`${file} cannot be read as JSON: ${problem}.`);
    if (valuesIn(input, parameters).length > 0) return undefined;
    return refuse(`${file} has no key "${key}". ${keysText(rootOf(text))}`);
  },
  report,
});

function rootOf(text: string): Json {
  return parseJson(text.replace(/^\ufeff/, ''));
}

function valuesIn(input: PlanInput, { file, key }: ValueParameters): FoundValue[] {
  const text = textsIn(input, { files: [file] }).files[0]?.text ?? 'null';
  return problemInJson(text) === undefined ? findValues(rootOf(text), key.replaceAll('"', '')) : [];
}

function keysText(root: Json): string {
  if (typeof root !== 'object' || root === null) return 'It is a single value.';
  if (Array.isArray(root)) return `It is a list of ${count(root.length, 'item')}.`;
  return `Its keys are ${Object.keys(root)
    .slice(0, 30)
    .map((name) => `"${name}"`)
    .join(', ')}.`;
}

function report(input: PlanInput, parameters: ValueParameters): Report {
  const { file, key } = parameters;
  const found = valuesIn(input, parameters);
  const [first] = found;
  const isPlain = found.length === 1 && (typeof first?.value !== 'object' || first.value === null);
  const shown = found
    .slice(0, MAX_VALUES)
    .map(({ path, value }) => ({ path, text: JSON.stringify(value, undefined, 2) }));
  const isLong = shown.some(({ text }) => text.length > MAX_SHOWN);
  return {
    title: `${key} in ${file}`,
    answer: isPlain
      ? `${code(first?.path ?? key)} in ${code(file)} is ${code(typeof first?.value === 'string' ? first.value : JSON.stringify(first?.value))}.`
      : `${found.length === 1 ? `${code(first?.path ?? key)} in ${code(file)} has ${sizeOf(first?.value ?? null)}` : `${count(found.length, 'value')} of ${code(key)} in ${code(file)}`}.`,
    sections: [
      {
        title: 'Value',
        lines: isPlain
          ? []
          : found.length === 1
            ? ['```json', ...(shown[0]?.text.slice(0, MAX_SHOWN).split('\n') ?? []), '```']
            : shown.map(({ path, text }) => `- ${code(path)}: ${code(text)}`),
      },
    ],
    facts:
      found.length === 1 && !isLong
        ? { file, key: first?.path ?? key, value: first?.value ?? null }
        : { file, key, found: found.length },
    leftOut: [
      ...(isLong ? ['the end of a long value'] : []),
      ...(found.length > MAX_VALUES ? [`${found.length - MAX_VALUES} more values`] : []),
    ],
    checks: [{ check: `${code(file)} has the key`, holds: found.length > 0 }],
  };
}

function sizeOf(value: Json): string {
  if (Array.isArray(value)) return count(value.length, 'item');
  return typeof value === 'object' && value !== null
    ? count(Object.keys(value).length, 'entry').replace('entrys', 'entries')
    : String(value);
}
