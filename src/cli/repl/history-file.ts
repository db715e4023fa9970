import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '../../api/index.ts';
import { toLine } from '../terminal/draft.ts';

const MOST_LINES = 1_000;
const LONGEST_LINE = 4_000;
/** The vault is given secrets; nobody has to see that twice. */
const ABOUT_SECRETS = /^\s*\/vault\b/;

/**
 * What the person typed, kept in their own folder for the next time. Lines about the vault and lines that begin with a space
 * are not kept, and what looks like a credential is taken out of the others.
 */
export class HistoryFile {
  readonly #path: string;
  readonly #folder: string;
  readonly #redactor = createRedactor();

  constructor(home: string) {
    this.#folder = home;
    this.#path = join(home, 'repl-history');
  }

  /** Newest first. A file that cannot be read is no history. */
  load(): readonly string[] {
    let lines: readonly string[];
    try {
      lines = readFileSync(this.#path, 'utf8').split('\n').filter(Boolean);
    } catch {
      return [];
    }
    if (lines.length > 2 * MOST_LINES) this.#shorten(lines.slice(-MOST_LINES));
    return lines.slice(-MOST_LINES).reverse();
  }

  /** Keeps what was typed; must not throw, because nobody would stop talking for it. */
  add(text: string): void {
    if (text.trim() === '' || text.startsWith(' ') || ABOUT_SECRETS.test(text) || text.length > LONGEST_LINE)
      return;
    const line = toLine(this.#redactor.text(text).replaceAll('\r', ''));
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      appendFileSync(this.#path, `${line}\n`, { mode: 0o600 });
      chmodSync(this.#path, 0o600);
    } catch {
      // A full disk or a folder of somebody else: then there is no history.
    }
  }

  #shorten(lines: readonly string[]): void {
    const temporary = `${this.#path}.${process.pid}.new`;
    try {
      writeFileSync(temporary, `${lines.join('\n')}\n`, { mode: 0o600 });
      renameSync(temporary, this.#path);
    } catch {
      // It stays as long as it is.
    }
  }
}
