import { OkaError } from '../../api/index.ts';

/** One word of a command line: parts in quotes, and characters behind a backslash, stand for themselves. */
const WORD = /(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+/g;

/** The words of a line, as a shell would split them. */
export function splitWords(line: string): readonly string[] {
  const words = line.match(WORD) ?? [];
  const left = line.replaceAll(WORD, '').trim();
  if (left !== '')
    throw new OkaError('cli.usage', `a quote is not closed: ${left}. Close it, or put \\ before it.`);
  return words.map((word) =>
    word.replaceAll(/\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g, (_, escaped, double, single) =>
      escaped !== undefined
        ? String(escaped)
        : double !== undefined
          ? String(double).replaceAll(/\\([\s\S])/g, '$1')
          : String(single),
    ),
  );
}
