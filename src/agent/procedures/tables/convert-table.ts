import type { Decision, PlanInput } from '../../../engine/index.ts';
import type { Goal } from '../../../language/index.ts';
import { call, callFor, failWith } from '../../findings.ts';
import type { Procedure } from '../../types.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, count } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from '../report-procedure.ts';
import { formatOf, readTableOf, type TableFormat } from './table.ts';
import { isTableFile, lookAtTable, refuse, tableIn } from './table-source.ts';
import { writeTable } from './write-table.ts';

interface ConvertParameters extends ReportParameters {
  readonly file: string;
  readonly format: TableFormat;
  /** The name follows from the format, so a file of that name is not replaced. */
  readonly isNew?: true;
}

const NAMES: Readonly<Record<string, TableFormat>> = {
  csv: 'csv',
  'comma-separated': 'csv',
  tsv: 'tsv',
  'tab-separated': 'tsv',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  'json lines': 'jsonl',
  jsonlines: 'jsonl',
  markdown: 'md',
  md: 'md',
};
const TITLES: Readonly<Record<TableFormat, string>> = {
  csv: 'CSV',
  tsv: 'tab-separated values',
  json: 'JSON',
  jsonl: 'JSON Lines',
  md: 'a Markdown table',
};
const VERBS =
  '(?:convert|turn|transform|change|export|save|make|create|write|rewrite|translate|reformat|get|produce|generate|give|output)';
const FORMAT = `(?<format>json lines|${Object.keys(NAMES).join('|')})`;
const NOUNS = '(?: (?:table|file|format|array|data|version|values|document|list))*';
const WHAT = '(?: (?:it|the|me|this|data|file|table|csv|json|contents?|markdown))*';
const TO_FORMAT = new RegExp(
  `^(?:${VERBS}${WHAT} )?(?:(?:to|into|as|in) )?(?:a |an )?(?:new )?${FORMAT}${NOUNS}(?: (?:file|version))?$`,
  'i',
);
const ALONE = new RegExp(`^${VERBS}?${WHAT}$`, 'i');
const SHOWING = new RegExp(
  `^(?:show|print|display|view)${WHAT} (?:as|in) (?:a |an )?${FORMAT}${NOUNS}$`,
  'i',
);
const MAX_SHOWN = 8_000;

/** Converts a table to another format. */
export const convertTable: Procedure = reportProcedure<ConvertParameters>({
  name: 'convert-table',
  description: 'Converts a table between CSV, tab-separated values, JSON, JSON Lines and Markdown.',
  example: 'convert sales.csv to json',
  triggers: ['convert csv json', 'export csv markdown', 'turn json csv'],
  vocabulary: { needs: [], also: 'convert transform export markdown table format version' },
  tools: ['files.read'],
  understand,
  look,
  report,
  content: (input, { file, format, note }) =>
    note === undefined ? undefined : writeTable(tableIn(input, file), format),
});

function understand(goal: Goal): { said: string; parameters: ConvertParameters } | undefined {
  const phrase = readPhrase(goal);
  const [file, ...others] = phrase?.sources ?? [];
  if (phrase === undefined || others.length > 0 || !isTableFile(file)) return undefined;
  const { line, target } = phrase;
  const shown = SHOWING.exec(line)?.groups?.['format'];
  const named = TO_FORMAT.exec(line)?.groups?.['format'] ?? shown;
  const asked = named === undefined ? undefined : NAMES[named.toLowerCase()];
  const format = asked ?? (target !== undefined && ALONE.test(line) ? formatOf(target) : undefined);
  if (format === undefined || target === file || (target === undefined && format === formatOf(file)))
    return undefined;
  if (target !== undefined && asked !== undefined && formatOf(target) !== asked) return undefined;
  // "copy a.csv to b.csv" is another goal.
  if (
    target !== undefined &&
    named === undefined &&
    !/^(?:convert|turn|transform|change|export|rewrite|translate|reformat)/i.test(line)
  )
    return undefined;
  const base = { file, format };
  if (shown !== undefined && target === undefined) return { said: line, parameters: base };
  if (target !== undefined) return { said: line, parameters: { ...base, note: target } };
  return { said: line, parameters: { ...base, note: file.replace(/\.[^./]+$/, `.${format}`), isNew: true } };
}

function look(input: PlanInput, { file, note, isNew, format }: ConvertParameters): Decision | undefined {
  const reading = lookAtTable(input, file);
  if (reading || !isNew || note === undefined) return reading;
  const made = callFor(input, 'files.read', note);
  if (made === undefined)
    return call('files.read', { path: note, max_bytes: 1 }, `${note} must not be there yet`);
  if (made.failure?.code === 'files.not_found') return undefined;
  if (made.failure && made.failure.code !== 'files.not_text') return failWith(made);
  return refuse(
    `${note} exists already and the goal does not name it, so nothing was written. Name the file: convert ${file} to ${note}, or to another name ending in .${format}.`,
  );
}

function report(input: PlanInput, { file, format, note }: ConvertParameters): Report {
  const table = tableIn(input, file);
  const text = writeTable(table, format);
  const back = readTableOf(`x.${format}`, text);
  const isWhole = 'table' in back && back.table.rows.length === table.rows.length;
  const hasColumns = 'table' in back && back.table.columns.length === table.columns.length;
  const nested = table.rows.flat().filter((cell) => typeof cell === 'object' && cell !== null).length;
  const isFlat = format === 'csv' || format === 'tsv' || format === 'md';
  const size = `${count(table.rows.length, 'row')} and ${count(table.columns.length, 'column')}`;
  return {
    title: `${file} as ${TITLES[format]}`,
    answer:
      note === undefined
        ? `${size} of ${code(file)} as ${TITLES[format]}.`
        : `${code(note)} has ${size} of ${code(file)}, as ${TITLES[format]}.`,
    sections: [
      {
        title: 'Content',
        lines: note !== undefined ? [] : [...(format === 'md' ? [cut(text)] : ['```', cut(text), '```'])],
      },
      {
        title: 'Remarks',
        lines: [
          ...table.problems,
          ...(nested > 0 && isFlat
            ? [`${count(nested, 'cell')} with a list or an object, written as JSON`]
            : []),
        ].map((one) => `- ${one}`),
      },
    ],
    facts: { file, format, rows: table.rows.length, columns: table.columns.length },
    leftOut:
      note === undefined && text.length > MAX_SHOWN ? ['the end of the text; name a file for the whole'] : [],
    checks: [
      {
        check: `reading it back gives ${count(table.rows.length, 'row')}`,
        holds: isWhole || table.rows.length === 0,
      },
      {
        check: `reading it back gives ${count(table.columns.length, 'column')}`,
        holds: hasColumns || table.rows.length === 0,
      },
    ],
  };
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text.trimEnd();
}
