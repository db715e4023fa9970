import { matchText } from '../../kernel/index.ts';

/** Tests names against patterns in which `*` matches any characters. */
export function matchNames(patterns: readonly string[]): (name: string) => boolean {
  return (name) => patterns.some((pattern) => matchText(pattern, name));
}
