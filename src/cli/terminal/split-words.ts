import { OkaError } from '../../api/index.ts';

/** One shell word, with quotes and backslash escapes. */
const WORD = /(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+/g;

export function splitWords(line: string): readonly string[] {
  const words = line.match(WORD) ?? [];
  const left = line.replaceAll(WORD, '').trim();
  if (left !== '') throw new OkaError('cli.usage', `Unclosed quote: ${left}. Close it, or put \\ before it.`);
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
