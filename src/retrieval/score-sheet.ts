import { SCORE_PARTS as PARTS, type RankedHit, type ScorePart, type ScoreReason } from './types.ts';

const COLUMNS = new Map<ScorePart, number>(PARTS.map((part, column) => [part, column]));
const NONE: readonly string[] = [];

/** The score parts of many candidates, by place. A hit is computed only when it is read. */
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

  part(place: number, part: ScorePart): number {
    return this.#parts[place * PARTS.length + (COLUMNS.get(part) as number)] as number;
  }

  /** The sums so far, by place. */
  sums(): Float64Array {
    return this.#sums.slice();
  }

  hit(place: number, id: string): RankedHit {
    const sheet = this;
    return {
      id,
      place,
      score: this.#sums[place] as number,
      get why() {
        return sheet.#why(place);
      },
      get terms() {
        return sheet.terms(place);
      },
    };
  }

  #why(place: number): readonly ScoreReason[] {
    return PARTS.map((part, column) => ({
      part,
      score: this.#parts[place * PARTS.length + column] as number,
    })).filter(({ score }) => score !== 0);
  }

  terms(place: number): readonly string[] {
    return this.#terms[place] as readonly string[];
  }
}
