import type { JsonObject } from '../../kernel/index.ts';
import { plainLine } from '../describe-text.ts';

/** Something that has to hold at the end of a procedure. */
interface Check {
  readonly check: string;
  readonly holds: boolean;
}

/** What a procedure found out. Lines are Markdown already. */
export interface Report {
  readonly title: string;
  /** The answer in one sentence. */
  readonly answer: string;
  readonly sections: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** The answer for programs; small. */
  readonly facts: JsonObject;
  /** What was not looked at, and why. */
  readonly leftOut: readonly string[];
  readonly checks: readonly Check[];
}

const LONGEST_SHORT = 12_000;

/** The report as a Markdown document. The same report gives the same bytes. */
export function writeReport({ title, answer, sections, leftOut }: Report): string {
  const blocks = [
    `# ${title}`,
    answer,
    ...sections
      .filter(({ lines }) => lines.length > 0)
      .map((section) => `## ${section.title}\n\n${section.lines.join('\n')}`),
    ...(leftOut.length > 0 ? [`## Left out\n\n${leftOut.map((line) => `- ${line}`).join('\n')}`] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** The report as far as it fits the record of a run. */
export function shortReport(report: Report): string {
  const text = writeReport(report);
  if (text.length <= LONGEST_SHORT) return text;
  const lines = text.split('\n');
  let length = 0;
  const shown = lines.findIndex((line) => {
    length += line.length + 1;
    return length > LONGEST_SHORT;
  });
  const rest = lines.length - shown;
  return `${lines.slice(0, shown).join('\n')}\n\n(${rest} more lines; name a note for the whole, as in "… into report.md")\n`;
}

/** The reason of a failed call as one line of a report. */
export function reasonLine(failure: { readonly message: string } | undefined): string {
  return plainLine(failure?.message ?? 'it gave nothing that can be used', 200);
}
