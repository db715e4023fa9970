import type { PlanInput } from '../../../engine/index.ts';
import type { Goal } from '../../../language/index.ts';
import type { Procedure } from '../../types.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, groupBy } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure, writeReport } from '../report-procedure.ts';
import { formatOf } from '../tables/table.ts';
import { writeTable } from '../tables/write-table.ts';
import { findInText, type TextKind } from './find-in-text.ts';
import { lookAtFiles, placeText, type TextPlace, takePlace, textsIn } from './text-files.ts';

interface ExtractParameters extends ReportParameters {
  readonly place: TextPlace;
  readonly kind: TextKind;
}

interface Found {
  readonly value: string;
  readonly path: string;
  readonly line: number;
}

const KINDS: Readonly<Record<TextKind, string>> = {
  links: 'links|hyperlinks|urls|web addresses|web links|weblinks|link|url',
  emails: '(?:e-?mail|mail)(?: addresses| address|s)?|emails?',
  dates: 'dates?',
  numbers: 'numbers|figures',
  headings: 'headings?|headers|section titles|titles|sections',
};
const TITLES: Readonly<Record<TextKind, string>> = {
  links: 'link',
  emails: 'e-mail address',
  dates: 'date',
  numbers: 'number',
  headings: 'heading',
};
const ASK =
  '(?:(?:extract|list|show|find|get|collect|gather|give|pull|pull out|print|display|what are|what|which|count|how many|are there|write|save|put|search for|look for|grab|return|make a list of|a list of|list of)(?: me)? )?';
const ALL = '(?:(?:all|the|every|any|of|unique|different|distinct|each|out|me|external|web) )*';
const ENDS =
  '(?: (?:are|is|there|that are|which are|mentioned|listed|used|found|appear|occur|contained|do we have|exist|does it have|have|has))*';
const MAX_SHOWN = 200;

/** Collects links, e-mail addresses, dates, numbers or headings of files. */
export const extractText: Procedure = reportProcedure<ExtractParameters>({
  name: 'extract-text',
  description:
    'Extracts the links, e-mail addresses, dates, numbers or headings of a file, a folder or all files of a type.',
  example: 'extract all e-mail addresses from contacts.txt',
  triggers: ['extract links', 'extract addresses', 'list headings', 'extract dates'],
  vocabulary: { needs: [], also: 'extract addresses emails links dates numbers headings collect' },
  tools: ['files.list', 'files.read'],
  understand,
  look: (input, { place }) => lookAtFiles(input, place),
  report,
  content,
});

function understand(goal: Goal): { said: string; parameters: ExtractParameters } | undefined {
  const phrase = readPhrase(goal);
  if (phrase === undefined) return undefined;
  const taken = takePlace(withoutTarget(phrase.whole, phrase.target), phrase.plain);
  if (taken === undefined) return undefined;
  const kind = (Object.keys(KINDS) as TextKind[]).find((one) =>
    new RegExp(`^${ASK}${ALL}(?:${KINDS[one]})${ENDS}$`, 'i').test(taken.head),
  );
  const { place } = taken;
  const { target } = phrase;
  if (kind === undefined || (target !== undefined && place.files?.includes(target))) return undefined;
  // The numbers of a table are in its columns.
  if (kind === 'numbers' && place.files?.some((file) => /\.(?:csv|tsv)$/i.test(file))) return undefined;
  return { said: taken.head, parameters: { kind, place, note: target } };
}

/** The line without the file for the result. */
export function withoutTarget(whole: string, target: string | undefined): string {
  if (target === undefined) return whole;
  return whole.replace(
    /,? ?(?:(?:and )?(?:then )?(?:save|write|put|store|export|output|record|collect)(?: (?:it|them|that|those|these|the (?:result|results|list|output)))? (?:into|to|as|in)|into|to|as) (?:(?:a|an|the) )?(?:new )?(?:[a-z]+ )?(?:(?:file|note|list|report) )?(?:(?:called|named) )?@[pq]\d+(?: file)?(?=$| )/i,
    '',
  );
}

function foundIn(input: PlanInput, { place, kind }: ExtractParameters): Found[] {
  return textsIn(input, place).files.flatMap(({ path, text }) =>
    findInText(kind, path, text).map(({ value, line }) => ({ value, path, line })),
  );
}

function uniqueOf(found: readonly Found[], kind: TextKind): Map<string, Found[]> {
  return groupBy(found, ({ value }) => (kind === 'emails' ? value.toLowerCase() : value));
}

function report(input: PlanInput, parameters: ExtractParameters): Report {
  const { place, kind } = parameters;
  const found = foundIn(input, parameters);
  const { files, leftOut } = textsIn(input, place);
  const unique = [...uniqueOf(found, kind)];
  const title = TITLES[kind];
  const amount = `${found.length} ${found.length === 1 ? title : `${title}${title.endsWith('s') ? 'es' : 's'}`}`;
  const isOne = files.length === 1;
  const shown =
    kind === 'headings' || kind === 'numbers' ? found.map((one) => [one.value, [one]] as const) : unique;
  return {
    title: `${title.charAt(0).toUpperCase()}${title.slice(1)}${title.endsWith('s') ? 'es' : 's'} of ${placeText(place)}`,
    answer:
      found.length === 0
        ? `No ${title} in ${placeText(place)}.`
        : `${amount} in ${placeText(place)}${unique.length < found.length ? `, ${unique.length} of them different` : ''}.`,
    sections: [
      {
        title: 'Found',
        lines: [
          ...shown
            .slice(0, MAX_SHOWN)
            .map(([value, places]) => `- ${code(value)} (${placesText(places, isOne)})`),
          ...(shown.length > MAX_SHOWN
            ? [`- and ${shown.length - MAX_SHOWN} more; name a file for all, as in "… into found.txt"`]
            : []),
        ],
      },
    ],
    facts: {
      kind,
      found: found.length,
      different: unique.length,
      files: files.length,
      values: unique.slice(0, 100).map(([value]) => value),
    },
    leftOut,
    checks: [
      {
        check: 'the files of the goal were read',
        holds: files.length > 0 || leftOut.length > 0 || place.folder !== undefined,
      },
      {
        check: 'each found value is counted once for each place',
        holds: unique.reduce((sum, [, all]) => sum + all.length, 0) === found.length,
      },
    ],
  };
  function placesText(places: readonly Found[], isSame: boolean): string {
    const lines = places.map(({ path, line }) => (isSame ? `${line}` : `${path}:${line}`));
    const rest = lines.length - 3;
    return `${isSame ? 'line ' : ''}${lines.slice(0, 3).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  }
}

/** Text files get one value on each line, tables get the places too, other files the report. Nothing found writes nothing. */
function content(input: PlanInput, parameters: ExtractParameters): string | undefined {
  const found = foundIn(input, parameters);
  const { note = '', kind } = parameters;
  if (found.length === 0) return undefined;
  const format = formatOf(note);
  if (format === 'md') return writeReport(report(input, parameters));
  if (format === undefined) return [...uniqueOf(found, kind).keys()].map((value) => `${value}\n`).join('');
  const rows = found.map(({ value, path, line }) => [value, path, String(line)]);
  return writeTable(
    { format: 'csv', separator: ',', columns: [TITLES[kind], 'file', 'line'], rows, problems: [] },
    format,
  );
}
