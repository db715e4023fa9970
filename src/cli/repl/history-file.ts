import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '../../api/index.ts';
import { toLine } from '../terminal/draft.ts';

const MAX_LINES = 1_000;
const MAX_LINE_LENGTH = 4_000;
/** Vault commands may contain secrets. */
const VAULT_COMMAND = /^\s*\/vault\b/;

/** Input history in the user's Oka folder. Skips vault commands and lines with a leading space, and redacts credentials. */
export class HistoryFile {
  readonly #path: string;
  readonly #folder: string;
  readonly #redactor = createRedactor();

  constructor(home: string) {
    this.#folder = home;
    this.#path = join(home, 'repl-history');
  }

  /** Newest first; empty if the file is unreadable. */
  load(): readonly string[] {
    let lines: readonly string[];
    try {
      lines = readFileSync(this.#path, 'utf8').split('\n').filter(Boolean);
    } catch {
      return [];
    }
    if (lines.length > 2 * MAX_LINES) this.#shorten(lines.slice(-MAX_LINES));
    return lines.slice(-MAX_LINES).reverse();
  }

  /** Never throws: a failed write must not end the session. */
  add(text: string): void {
    if (
      text.trim() === '' ||
      text.startsWith(' ') ||
      VAULT_COMMAND.test(text) ||
      text.length > MAX_LINE_LENGTH
    )
      return;
    const line = toLine(this.#redactor.text(text).replaceAll('\r', ''));
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      appendFileSync(this.#path, `${line}\n`, { mode: 0o600 });
      chmodSync(this.#path, 0o600);
    } catch {
      // Full disk or missing permission: continue without history.
    }
  }

  #shorten(lines: readonly string[]): void {
    const temporary = `${this.#path}.${process.pid}.new`;
    try {
      writeFileSync(temporary, `${lines.join('\n')}\n`, { mode: 0o600 });
      renameSync(temporary, this.#path);
    } catch {
      // Keep the long file.
    }
  }
}
