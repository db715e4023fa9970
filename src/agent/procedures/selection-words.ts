// Owns: the words with which reports tell which files were meant. Pure.
import type { FileSelection, SurveyedFile } from '../../language/index.ts';
import { code, count, sizeText } from './markdown-text.ts';

/** "3 photos in `photos` larger than 1.0 MB". */
export function describeSelection(selection: FileSelection, amount: number): string {
  return `${count(amount, nounOf(selection))}${conditions(selection)}`;
}

export function nounOf({ what, kinds, names }: FileSelection): string {
  if (what === 'folders') return 'folder';
  if (what === 'everything') return 'item';
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return 'file';
  const globbed = names.length === 0 && kind.startsWith('.') ? `${kind} file` : undefined;
  return globbed ?? (/s$/.test(kind) ? kind.replace(/s$/, '') : `${kind} file`);
}

/** The conditions of a selection, as a goal says them. */
export function conditions(selection: FileSelection): string {
  const { kinds, names, isEmpty, above, below, modified, places, except, isShallow } = selection;
  return [
    kinds.length > 1 ? ` (${kinds.join(', ')})` : '',
    ...names.map(({ how, text, not }) => ` ${not ? 'not ' : ''}${NAMED[how]} ${code(text)}`),
    isEmpty ? ', empty' : '',
    above === undefined ? '' : ` larger than ${sizeText(above)}`,
    below === undefined ? '' : ` smaller than ${sizeText(below)}`,
    modified === undefined
      ? ''
      : ` modified ${modified.replace(/^(?:from|of) /, '').replace(/^(older|newer) than (.+)$/, (_, how: string, time: string) => (how === 'older' ? `more than ${time} ago` : `less than ${time} ago`))}`,
    isShallow ? ' directly' : '',
    places.length === 0 ? '' : ` in ${places.map(code).join(' and ')}`,
    except.length === 0 ? '' : `, without ${except.map(code).join(' and ')}`,
  ].join('');
}

const NAMED = {
  is: 'called',
  starts: 'starting with',
  ends: 'ending in',
  contains: 'with a name that contains',
  fits: 'matching',
};

/** A line for a file, with what the order is about. */
export function lineOf(
  { path, kind, bytes, modified }: SurveyedFile,
  { order, modified: period }: FileSelection,
): string {
  const name = code(kind === 'directory' ? `${path}/` : path);
  if (order === 'newest' || order === 'oldest' || (order === undefined && period !== undefined))
    return `- ${timeText(modified)}: ${name}`;
  return order === 'largest' || order === 'smallest' ? `- ${sizeText(bytes)}: ${name}` : `- ${name}`;
}

/** A local time to the minute. */
function timeText(modified: string | undefined): string {
  return modified === undefined ? 'unknown' : modified.slice(0, 16).replace('T', ' ');
}

export function totalBytes(files: readonly SurveyedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
