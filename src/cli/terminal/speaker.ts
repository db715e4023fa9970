import type { Printer } from '../printer.ts';

type Colours = Printer['dataColors'];

const COLOURS = ['cyan', 'magenta', 'yellow', 'blue', 'green', 'red'] as const;

/** Colours a name by its hash. The user has no colour. */
export function showSpeaker(name: string, colours: Colours): string {
  if (name === 'user') return colours.bold(name);
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return colours.bold(colours[COLOURS[sum % COLOURS.length] ?? 'cyan'](name));
}
