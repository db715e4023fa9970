import type { ChatMessageView, Notice } from '../api/index.ts';
import { showTime } from './format.ts';
import { visible } from './printer.ts';

export function showMessage({ id, at, from, content }: ChatMessageView): string {
  return `${visible(from)}  #${id}  ${showTime(at)}\n${visible(content).replaceAll(/^/gm, '  ')}`;
}

export function showNotice({ message, what }: Notice): string {
  return `  · #${message}: ${visible(what)}`;
}

/** Control characters and line separators. */
const UNSAFE = /[\p{Cc}\u2028\u2029]/gu;

/** Formats a message for scripts: `id|timestamp|from|content`, escaped so that it stays one line with four fields. */
export function pipedLine({ id, at, from, content }: ChatMessageView): string {
  return `${id}|${at}|${from}|${escapeContent(content)}`;
}

function escapeContent(content: string): string {
  return content
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('\n', '\\n')
    .replaceAll(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
