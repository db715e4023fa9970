import * as z from 'zod';
import { extensionIn, type SurveyedFile } from '../../language/index.ts';

const sums = {
  files: z.int(),
  bytes: z.int(),
  texts: z.int().describe('the number of files whose lines were counted'),
  lines: z.int(),
  blank: z.int().describe('the number of lines without text'),
};

export const totals = z.strictObject({
  ...sums,
  folders: z.int(),
  empty: z.int().describe('the number of files without content'),
  by_extension: z.array(z.strictObject({ extension: z.string(), ...sums })),
  by_folder: z
    .array(z.strictObject({ folder: z.string(), ...sums }))
    .describe('by folder right below the path; its own files count for the path itself'),
});

type Sums = { [Name in keyof typeof sums]: number };

const none = (): Sums => ({ files: 0, bytes: 0, texts: 0, lines: 0, blank: 0 });

/** Counts and sums of entries, in total and by group. */
export class Totals {
  readonly #path: string;
  readonly #sums = none();
  readonly #byExtension = new Map<string, Sums>();
  readonly #byFolder = new Map<string, Sums>();
  #folders = 0;
  #empty = 0;
  /** The number of entries of any kind. */
  entries = 0;

  constructor(path: string) {
    this.#path = path;
  }

  add(entry: SurveyedFile): void {
    this.entries += 1;
    if (entry.kind === 'directory') this.#folders += 1;
    if (entry.kind !== 'file') return;
    if (entry.bytes === 0) this.#empty += 1;
    const groups = [
      this.#sums,
      group(this.#byExtension, extensionIn(entry.path)),
      group(this.#byFolder, this.#folderOf(entry.path)),
    ];
    for (const one of groups) {
      one.files += 1;
      one.bytes += entry.bytes;
      one.lines += entry.lines ?? 0;
      one.blank += entry.blank ?? 0;
      if (entry.lines !== undefined) one.texts += 1;
    }
  }

  result(): z.output<typeof totals> {
    return {
      ...this.#sums,
      folders: this.#folders,
      empty: this.#empty,
      by_extension: [...this.#byExtension].map(([extension, own]) => ({ extension, ...own })),
      by_folder: [...this.#byFolder].map(([folder, own]) => ({ folder, ...own })),
    };
  }

  #folderOf(path: string): string {
    const prefix = this.#path === '.' ? '' : `${this.#path}/`;
    const end = path.indexOf('/', prefix.length);
    return path.startsWith(prefix) && end >= 0 ? path.slice(0, end) : this.#path;
  }
}

function group(groups: Map<string, Sums>, key: string): Sums {
  const known = groups.get(key) ?? none();
  groups.set(key, known);
  return known;
}
