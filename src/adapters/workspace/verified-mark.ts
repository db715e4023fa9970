import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, replaceFile } from '../../disk/index.ts';
import type { LedgerHead } from '../../ledger/index.ts';

/** Up to where the ledger was verified, and when. */
export interface VerifiedMark {
  readonly head: LedgerHead;
  /** The offset of that event's line in the mirror, in bytes. */
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
      const mark = readJsonFile(this.#file) as VerifiedMark;
      const numbers = [mark.head.seq, mark.mirrorOffset, mark.at];
      return numbers.every(Number.isSafeInteger) && typeof mark.head.hash === 'string' ? mark : undefined;
    } catch {
      return undefined;
    }
  }

  /** A failed write only costs time at the next verification. */
  write(mark: VerifiedMark): void {
    try {
      replaceFile(this.#file, `${JSON.stringify(mark)}\n`);
    } catch {
      this.clear();
    }
  }

  clear(): void {
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // On a read-only disk the older mark stays, which is still valid.
    }
  }
}
