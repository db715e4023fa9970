import type { ChatMessageView, Notice } from '../api/index.ts';
import { showTime } from './format.ts';
import { visible } from './printer.ts';

/** A message as people read it. */
export function showMessage({ id, at, from, content }: ChatMessageView): string {
  return `${visible(from)}  #${id}  ${showTime(at)}\n${visible(content).replaceAll(/^/gm, '  ')}`;
}

/** What a reader should know beside what was said. */
export function showNotice({ message, what }: Notice): string {
  return `  · #${message}: ${visible(what)}`;
}

/** What ends a line or moves a cursor somewhere. */
const UNSAFE = /[\p{Cc}\u2028\u2029]/gu;

/** A message as scripts read it, `id|timestamp|from|content`; nothing in it can be taken for another field or line. */
export function pipedLine({ id, at, from, content }: ChatMessageView): string {
  return `${id}|${at}|${from}|${escaped(content)}`;
}

/** `\\`, `\|` and `\n` stand for what they look like, `\u{…}` for other characters that end lines or cannot be seen. */
function escaped(content: string): string {
  return content
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('\n', '\\n')
    .replaceAll(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
