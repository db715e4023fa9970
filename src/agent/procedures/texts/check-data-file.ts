import type { PlanInput } from '../../../engine/index.ts';
import { type Json, parseJson } from '../../../kernel/index.ts';
import type { Goal } from '../../../language/index.ts';
import type { Procedure } from '../../types.ts';
import { readCsv } from '../csv-text.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, count } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from '../report-procedure.ts';
import { problemInJson } from './json-text.ts';
import { linesOf, lookAtFiles, textsIn } from './text-files.ts';

interface CheckParameters extends ReportParameters {
  readonly file: string;
}

type ParseYaml = typeof import('./yaml-library.ts')['parseAllDocuments'];

const VALID = '(?:valid|correct|well[- ]formed|ok|okay|fine|parseable|parsable|broken|invalid|malformed)';
const NOUN = '(?:json|yaml|yml|csv|tsv|jsonl|json lines|syntax|format|file|document|syntactically)';
const GOAL = new RegExp(
  `^(?:(?:is|does|check|verify|test|see|tell(?: me)?)(?: (?:if|that|whether|the|this|it|parse|is|be|a|an|${NOUN}))*(?: ${VALID})(?: (?:a |an )?${NOUN})*|(?:validate|lint|(?:check|verify) (?:the |its )?(?:syntax|format|validity)|is it valid)(?: (?:of|the|as|${NOUN}))*|does parse)$`,
  'i',
);
const MAX_PROBLEMS = 20;
/** Loaded before a YAML file is checked. */
const yaml: { parse?: ParseYaml } = {};

const base = reportProcedure<CheckParameters>({
  name: 'check-data-file',
  description:
    'Checks whether a JSON, JSON Lines, YAML or CSV file is valid, and tells the line of each problem.',
  example: 'is config.json valid?',
  triggers: ['validate json', 'check syntax', 'validate yaml'],
  vocabulary: { needs: [], also: 'valid validate syntax correct broken' },
  tools: ['files.read'],
  understand(goal: Goal) {
    const phrase = readPhrase(goal);
    const [file, ...others] = phrase?.sources ?? [];
    if (phrase === undefined || file === undefined || others.length > 0) return undefined;
    if (!/\.(?:json|jsonl|ndjson|ya?ml|csv|tsv)$/i.test(file) || !GOAL.test(phrase.line)) return undefined;
    const { target } = phrase;
    if (target !== undefined && !/\.(?:md|txt)$/i.test(target)) return undefined;
    return { said: phrase.line, parameters: { file, note: target } };
  },
  look: (input, { file }) => lookAtFiles(input, { files: [file] }),
  report,
});

/** Checks the syntax of a data file. */
export const checkDataFile: Procedure = {
  ...base,
  plan: async (input, parameters) => {
    if (/\.ya?ml$/i.test(String(parameters['file'])) && yaml.parse === undefined) {
      const { parseAllDocuments } = await import('./yaml-library.ts');
      yaml.parse = parseAllDocuments;
    }
    return base.plan(input, parameters);
  },
};

function report(input: PlanInput, { file }: CheckParameters): Report {
  const { files, leftOut, isWhole } = textsIn(input, { files: [file] });
  const text = files[0]?.text ?? '';
  const { kind, problems, size } = checkText(file, text);
  const [first] = problems;
  return {
    title: `Check of ${file}`,
    answer:
      first === undefined
        ? `Yes, ${code(file)} is valid ${kind}${size}.`
        : `No, ${code(file)} is not valid ${kind}: ${first}.`,
    sections: [
      {
        title: 'Problems',
        lines:
          problems.length < 2
            ? []
            : [
                ...problems.slice(0, MAX_PROBLEMS).map((one) => `- ${one}`),
                ...(problems.length > MAX_PROBLEMS ? [`- and ${problems.length - MAX_PROBLEMS} more`] : []),
              ],
      },
    ],
    facts: { file, kind, valid: problems.length === 0, problems: problems.slice(0, MAX_PROBLEMS) },
    leftOut,
    checks: [{ check: `${code(file)} was read to its end`, holds: isWhole && files.length === 1 }],
  };
}

function checkText(file: string, text: string): { kind: string; problems: readonly string[]; size: string } {
  if (/\.ya?ml$/i.test(file)) return checkYaml(text);
  if (/\.json$/i.test(file)) {
    const problem = text.trim() === '' ? 'it is empty' : problemInJson(text);
    return {
      kind: 'JSON',
      problems: problem === undefined ? [] : [problem],
      size: problem === undefined ? jsonSize(text) : '',
    };
  }
  if (/\.(?:jsonl|ndjson)$/i.test(file)) {
    const lines = linesOf(text);
    const problems = lines.flatMap((line, i) => {
      const problem = line.trim() === '' ? undefined : problemInJson(line);
      return problem === undefined ? [] : [`line ${i + 1}: ${problem.replace(/^line 1, /, '')}`];
    });
    return {
      kind: 'JSON Lines',
      problems,
      size: `, ${count(lines.filter((line) => line.trim() !== '').length, 'value')}`,
    };
  }
  if (text.trim() === '') return { kind: 'CSV', problems: ['it is empty'], size: '' };
  const { header, rows, uneven, problem } = readCsv(text, /\.tsv$/i.test(file) ? { separator: '\t' } : {});
  const twice = header.filter((name, i) => header.indexOf(name) !== i);
  return {
    kind: 'CSV',
    problems: [
      ...(problem === undefined ? [] : [problem]),
      ...uneven.map(
        (line) => `line ${line} has another number of cells than the header, which has ${header.length}`,
      ),
      ...twice.map((name) => `the column name "${name}" occurs several times`),
    ],
    size: `, ${count(rows.length, 'row')} and ${count(header.length, 'column')}`,
  };
}

function checkYaml(text: string): { kind: string; problems: readonly string[]; size: string } {
  const documents = yaml.parse?.(text) ?? [];
  const list = Array.isArray(documents) ? documents : [];
  const problems = list.flatMap(({ errors }) =>
    errors.map(({ message, linePos }) => {
      const [at] = linePos ?? [];
      const why = (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
      return at === undefined ? why : `line ${at.line}, column ${at.col}: ${why}`;
    }),
  );
  return { kind: 'YAML', problems, size: list.length > 1 ? `, ${count(list.length, 'document')}` : '' };
}

function jsonSize(text: string): string {
  const root: Json = parseJson(text.replace(/^\ufeff/, ''));
  if (Array.isArray(root)) return `, a list of ${count(root.length, 'item')}`;
  return typeof root === 'object' && root !== null
    ? `, an object with ${count(Object.keys(root).length, 'key')}`
    : '';
}
