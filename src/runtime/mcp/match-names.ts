import { matchText } from '../../kernel/index.ts';

/** A test for names by patterns in which `*` stands for any letters. */
export function matchNames(patterns: readonly string[]): (name: string) => boolean {
  return (name) => patterns.some((pattern) => matchText(pattern, name));
}
