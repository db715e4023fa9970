import type { RankedHit, ScorePart, ScoreReason } from './types.ts';

const PARTS = [
  'keyword',
  'related',
  'embedding',
  'neighbours',
  'conversation',
  'speaker',
  'time',
  'answer',
  'question',
  'importance',
  'recency',
] as const satisfies readonly ScorePart[];

const COLUMNS = new Map<ScorePart, number>(PARTS.map((part, column) => [part, column]));
const NONE: readonly string[] = [];

/** The parts of the scores of many candidates, by their places; a hit is written out only when it is looked at. */
export class ScoreSheet {
  readonly #parts: Float64Array;
  readonly #sums: Float64Array;
  readonly #terms: (readonly string[])[];

  constructor(size: number) {
    this.#parts = new Float64Array(size * PARTS.length);
    this.#sums = new Float64Array(size);
    this.#terms = new Array<readonly string[]>(size).fill(NONE);
  }

  add(place: number, part: ScorePart, score: number): void {
    if (score === 0) return;
    const at = place * PARTS.length + (COLUMNS.get(part) as number);
    this.#parts[at] = (this.#parts[at] as number) + score;
    this.#sums[place] = (this.#sums[place] as number) + score;
  }

  setTerms(place: number, terms: readonly string[]): void {
    this.#terms[place] = terms;
  }

  sum(place: number): number {
    return this.#sums[place] as number;
  }

  /** The sums so far, by place. */
  sums(): Float64Array {
    return this.#sums.slice();
  }

  hit(place: number, id: string): RankedHit {
    return new SheetHit(this, place, id);
  }

  why(place: number): readonly ScoreReason[] {
    return PARTS.map((part, column) => ({
      part,
      score: this.#parts[place * PARTS.length + column] as number,
    })).filter(({ score }) => score !== 0);
  }

  terms(place: number): readonly string[] {
    return this.#terms[place] as readonly string[];
  }
}

class SheetHit implements RankedHit {
  readonly id: string;
  readonly score: number;
  readonly place: number;
  readonly #sheet: ScoreSheet;

  constructor(sheet: ScoreSheet, place: number, id: string) {
    this.id = id;
    this.score = sheet.sum(place);
    this.#sheet = sheet;
    this.place = place;
  }

  get why(): readonly ScoreReason[] {
    return this.#sheet.why(this.place);
  }

  get terms(): readonly string[] {
    return this.#sheet.terms(this.place);
  }
}
