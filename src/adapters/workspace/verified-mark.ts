import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerHead } from '../../ledger/index.ts';
import { replaceFile } from './replace-file.ts';

/** How far the ledger was found sound, and when. */
export interface VerifiedMark {
  readonly head: LedgerHead;
  /** Where the line of that event begins in the mirror, in bytes. */
  readonly mirrorOffset: number;
  readonly at: number;
}

/** The file `.oka/run/verified.json`. It only saves time: without it everything is verified. */
export class VerifiedMarks {
  readonly #file: string;

  constructor(directory: string) {
    this.#file = join(directory, 'run', 'verified.json');
  }

  read(): VerifiedMark | undefined {
    try {
      const mark = JSON.parse(readFileSync(this.#file, 'utf8')) as VerifiedMark;
      const numbers = [mark.head.seq, mark.mirrorOffset, mark.at];
      return numbers.every(Number.isSafeInteger) && typeof mark.head.hash === 'string' ? mark : undefined;
    } catch {
      return undefined;
    }
  }

  /** A disk that refuses it costs the next verification time, nothing else. */
  write(mark: VerifiedMark): void {
    try {
      replaceFile(this.#file, [`${JSON.stringify(mark)}\n`]);
    } catch {
      this.clear();
    }
  }

  clear(): void {
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // A disk that cannot be written keeps the older mark, which still names a head that was sound.
    }
  }
}
