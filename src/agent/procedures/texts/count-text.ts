import type { PlanInput } from '../../../engine/index.ts';
import type { Goal } from '../../../language/index.ts';
import type { Procedure } from '../../types.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, count } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from '../report-procedure.ts';
import { bounded } from '../survey-step.ts';
import { markdownLines } from '../tables/write-table.ts';
import { withoutTarget } from './extract-text.ts';
import { linesOf, lookAtFiles, placeText, type TextPlace, takePlace, textsIn } from './text-files.ts';

type Unit = 'words' | 'lines' | 'characters' | 'paragraphs' | 'blank lines' | 'unique lines';

interface CountParameters extends ReportParameters {
  readonly place: TextPlace;
  readonly units: readonly Unit[];
}

const UNIT =
  '(?:(?:blank|empty|unique|different|distinct) lines|words?|lines?|characters?|letters|chars|paragraphs?)';
const UNITS = `(?<units>${UNIT}(?:(?:, and|,| and) (?:the )?${UNIT})*)`;
const ENDS = '(?: (?:are|is|there|does|do|have|has|contain|contains|in total|altogether|total|long|it|got))*';
const ASK = "(?:what(?:'s| is)|show(?: me)?|give(?: me)?|tell(?: me)?|get|find|report|print)";
const PATTERNS = [
  `^(?:how many|count(?: up)?(?: all)?(?: the)?|(?:${ASK} )?(?:the )?(?:total )?(?:number|count|amount) of) ${UNITS}${ENDS}$`,
  `^(?:${ASK} )?(?:the |a )?(?<one>word|line|character|paragraph)s? ?counts?$`,
].map((pattern) => new RegExp(pattern, 'i'));

/** Counts the words, lines or characters of texts. */
export const countText: Procedure = reportProcedure<CountParameters>({
  name: 'count-text',
  description:
    'Counts the words, lines, characters or paragraphs of a text file, a folder or all files of a type.',
  example: 'how many words are in essay.md',
  triggers: ['count words', 'count lines', 'count characters'],
  vocabulary: { needs: [], also: 'words lines characters letters paragraphs number count blank unique' },
  tools: ['files.list', 'files.read'],
  understand,
  look: (input, { place }) => lookAtFiles(input, place),
  report,
});

function understand(goal: Goal): { said: string; parameters: CountParameters } | undefined {
  const phrase = readPhrase(goal);
  if (phrase === undefined) return undefined;
  const { plain, target } = phrase;
  const line = withoutTarget(phrase.whole, target).replace(
    / (?:does|do) (@[pq]\d+) (?:have|contain)$/i,
    ' in $1',
  );
  const taken =
    takePlace(line, plain) ??
    takePlace(line.replace(/^(count|how many) (.+?) (@[pq]\d+)$/i, '$1 $2 in $3'), plain);
  const groups =
    taken && PATTERNS.map((pattern) => pattern.exec(taken.head)?.groups).find((one) => one !== undefined);
  if (!taken || !groups || (target !== undefined && !/\.(?:md|txt)$/i.test(target))) return undefined;
  const said = groups['units'] ?? groups['one'] ?? '';
  const units = said.split(/, and |, | and /i).map(unitOf);
  // "lines of code" are counted by language elsewhere.
  if (/\bcode\b/i.test(taken.head) || taken.place.folder === 'code') return undefined;
  return { said: taken.head, parameters: { place: taken.place, units: [...new Set(units)], note: target } };
}

function unitOf(word: string): Unit {
  if (/^(?:blank|empty)/i.test(word)) return 'blank lines';
  if (/^(?:unique|different|distinct)/i.test(word)) return 'unique lines';
  if (/word/i.test(word)) return 'words';
  if (/paragraph/i.test(word)) return 'paragraphs';
  return /line/i.test(word) ? 'lines' : 'characters';
}

function amountOf(unit: Unit, text: string): number {
  const plain = text.replace(/^\ufeff/, '');
  switch (unit) {
    case 'words':
      return plain.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    case 'lines':
      return linesOf(text).length;
    case 'blank lines':
      return linesOf(text).filter((line) => line.trim() === '').length;
    case 'unique lines':
      return new Set(linesOf(text)).size;
    case 'paragraphs':
      return plain.split(/\n\s*\n/).filter((block) => block.trim() !== '').length;
    case 'characters':
      return [...plain].length;
  }
}

function report(input: PlanInput, { place, units }: CountParameters): Report {
  const { files, leftOut } = textsIn(input, place);
  const rows = files.map(({ path, text }) => ({ path, amounts: units.map((unit) => amountOf(unit, text)) }));
  const totals = units.map((_, i) => rows.reduce((sum, { amounts }) => sum + (amounts[i] ?? 0), 0));
  const said = units
    .map((unit, i) => `${totals[i]} ${totals[i] === 1 ? unit.replace(/s$/, '') : unit}`)
    .join(', ');
  const isOne = rows.length === 1 && place.files !== undefined;
  const sorted = [...rows].sort((a, b) => (b.amounts[0] ?? 0) - (a.amounts[0] ?? 0));
  const shown = sorted.map(({ path, amounts }) => [path, ...amounts.map(String)]);
  return {
    title: `Size of ${placeText(place)}`,
    answer: bounded(
      isOne
        ? `${code(rows[0]?.path ?? '')} has ${said}.`
        : `${said} in ${count(rows.length, 'file')} of ${placeText(place)}.`,
      leftOut,
    ),
    sections: [
      {
        title: 'Files',
        lines: isOne || rows.length === 0 ? [] : markdownLines({ columns: ['file', ...units], rows: shown }),
      },
    ],
    facts: {
      files: rows.length,
      ...Object.fromEntries(units.map((unit, i) => [unit.replace(' l', 'L'), totals[i] ?? 0])),
    },
    leftOut,
    checks: [
      { check: 'the files of the goal were read', holds: rows.length > 0 || place.folder !== undefined },
    ],
  };
}
