import type { Decision, PlanInput } from '../../../engine/index.ts';
import type { Goal } from '../../../language/index.ts';
import type { Procedure } from '../../types.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, sizeText } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from '../report-procedure.ts';
import { refuse } from '../tables/table-source.ts';
import { indentJson, problemInJson } from './json-text.ts';
import { lookAtFiles, textsIn } from './text-files.ts';

interface FormatParameters extends ReportParameters {
  readonly file: string;
}

const FORMAT =
  /^(?:(?<print>pretty[- ]?print|show|print|display)|format|reformat|prettify|beautify|indent|tidy(?: up)?|make)(?: (?:the|it|this|json|file|nicely|properly|neatly|with indentation|formatted|indented|pretty|readable|prettily))*$/i;
const MAX_SHOWN = 8_000;

/** Indents a JSON file, or shows it indented. */
export const formatJson: Procedure = reportProcedure<FormatParameters>({
  name: 'format-json',
  description: 'Formats a JSON file with indentation, without changing a value.',
  example: 'format data.json',
  triggers: ['format json', 'indent json'],
  vocabulary: { needs: [], also: 'format prettify indent readable' },
  tools: ['files.read'],
  understand(goal: Goal) {
    const phrase = readPhrase(goal);
    const [file, ...others] = phrase?.sources ?? [];
    if (phrase === undefined || file === undefined || others.length > 0 || !/\.json$/i.test(file))
      return undefined;
    const match = FORMAT.exec(phrase.line);
    const isShown = match?.groups?.['print'] !== undefined;
    if (
      !match ||
      (/^(?:show|print|display|make)/i.test(phrase.line) &&
        !/(?:format|indent|pretty|readable|nicely)/i.test(phrase.line))
    )
      return undefined;
    return { said: phrase.line, parameters: { file, note: phrase.target ?? (isShown ? undefined : file) } };
  },
  look(input, { file }): Decision | undefined {
    const reading = lookAtFiles(input, { files: [file] });
    if (reading) return reading;
    const { isWhole } = textsIn(input, { files: [file] });
    const problem = isWhole ? problemInJson(textIn(input, file)) : 'it is too large';
    return problem === undefined
      ? undefined
      : refuse(`${file} was not formatted, because it is not valid JSON: ${problem}.`);
  },
  content(input, { file, note }) {
    const before = textIn(input, file);
    const after = indentJson(before);
    return note === undefined || (note === file && after === before) ? undefined : after;
  },
  report,
});

function textIn(input: PlanInput, file: string): string {
  return textsIn(input, { files: [file] }).files[0]?.text ?? '';
}

function report(input: PlanInput, { file, note }: FormatParameters): Report {
  const before = textIn(input, file);
  const after = indentJson(before);
  const plain = (text: string): string =>
    text.replace(/^\ufeff/, '').replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  return {
    title: `Format of ${file}`,
    answer:
      note === undefined
        ? `${code(file)}, indented.`
        : note === file && after === before
          ? `${code(file)} is formatted already, so it was not changed.`
          : `${code(note)} has the content of ${code(file)}, indented, ${sizeText(after.length)}.`,
    sections: [
      {
        title: 'Content',
        lines: note === undefined ? ['```json', after.slice(0, MAX_SHOWN).trimEnd(), '```'] : [],
      },
    ],
    facts: { file, changed: note !== undefined && !(note === file && after === before) },
    leftOut: note === undefined && after.length > MAX_SHOWN ? ['the end of the text'] : [],
    checks: [
      { check: 'only white space differs', holds: plain(before) === plain(after) },
      { check: 'the result is valid JSON', holds: problemInJson(after) === undefined },
    ],
  };
}
