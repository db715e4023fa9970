import GithubSlugger from 'github-slugger';
import type { PlanInput } from '../../../engine/index.ts';
import type { Goal } from '../../../language/index.ts';
import type { Procedure } from '../../types.ts';
import { readPhrase } from '../goal-phrase.ts';
import { code, count } from '../markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from '../report-procedure.ts';
import { headingsOf } from './find-in-text.ts';
import { lookAtFiles, textsIn } from './text-files.ts';

interface OutlineParameters extends ReportParameters {
  readonly file: string;
}

const GOAL =
  /^(?:(?:make|create|write|generate|show|give|build|print|produce|get|what is|list)(?: me)? )?(?:an? |the )?(?:table of contents|contents table|toc|outline)$/i;

/** A table of contents of a Markdown file, with links. */
export const outlineMarkdown: Procedure = reportProcedure<OutlineParameters>({
  name: 'outline-markdown',
  description: 'Lists the headings of a Markdown file as a table of contents with links.',
  example: 'make a table of contents of README.md',
  triggers: ['show outline', 'generate table contents'],
  vocabulary: { needs: [], also: 'table contents outline' },
  tools: ['files.read'],
  understand(goal: Goal) {
    const phrase = readPhrase(goal);
    const [file, ...others] = phrase?.sources ?? [];
    if (phrase === undefined || file === undefined || others.length > 0) return undefined;
    if (!/\.(?:md|markdown)$/i.test(file) || phrase.target === file || !GOAL.test(phrase.line))
      return undefined;
    return { said: phrase.line, parameters: { file, note: phrase.target } };
  },
  look: (input, { file }) => lookAtFiles(input, { files: [file] }),
  report,
  content(input, { file }) {
    const lines = outlineOf(input, file);
    return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
  },
});

function outlineOf(input: PlanInput, file: string): string[] {
  const text = textsIn(input, { files: [file] }).files[0]?.text ?? '';
  const headings = headingsOf(text);
  const top = headings.reduce((least, { level }) => Math.min(least, level), 6);
  const slugger = new GithubSlugger();
  return headings.map(({ value, level }) => {
    const plain = value.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
    return `${'  '.repeat(level - top)}- [${plain}](#${slugger.slug(plain)})`;
  });
}

function report(input: PlanInput, { file, note }: OutlineParameters): Report {
  const lines = outlineOf(input, file);
  const { leftOut } = textsIn(input, { files: [file] });
  const where = note === undefined || lines.length === 0 ? '' : ` They are in ${code(note)}.`;
  return {
    title: `Contents of ${file}`,
    answer:
      lines.length === 0
        ? `${code(file)} has no headings.`
        : `${code(file)} has ${count(lines.length, 'heading')}.${where}`,
    sections: [{ title: 'Contents', lines: note === undefined ? lines : [] }],
    facts: { file, headings: lines.length },
    leftOut,
    checks: [
      { check: `${code(file)} was read`, holds: textsIn(input, { files: [file] }).files.length === 1 },
    ],
  };
}
