import { columnsOf } from './label-text.ts';
import type { Point } from './types.ts';

const GRAPHEMES = new Intl.Segmenter('en');

/** The sides of a cell that a line touches, as bits. */
const SIDES = { up: 1, right: 2, down: 4, left: 8 } as const;

/** The line characters by the sides that they touch; the index is the sum of the bits. */
const BOX_DRAWING = [' ', '│', '─', '└', '│', '│', '┌', '├', '─', '┘', '─', '┴', '┐', '┤', '┬', '┼'];
const DASHED: ReadonlyMap<string, string> = new Map([
  ['│', '╎'],
  ['─', '╌'],
]);
const PLAIN = [' ', '|', '-', '+', '|', '|', '+', '+', '-', '+', '-', '+', '+', '+', '+', '+'];

interface Line {
  sides: number;
  net: number;
  dashed: boolean;
}

/** A grid of characters. Lines of the same net join; lines of different nets cross. */
export class Canvas {
  readonly #width: number;
  readonly #plain: boolean;
  readonly #texts: (string | undefined)[][];
  readonly #lines: (Line | undefined)[][];

  constructor(width: number, height: number, plain: boolean) {
    this.#width = width;
    this.#plain = plain;
    this.#texts = Array.from({ length: height }, () => []);
    this.#lines = Array.from({ length: height }, () => []);
  }

  /** Writes a text from a cell to the right; a wide character takes two cells. `paint` may add colour to the whole. */
  write(x: number, y: number, text: string, paint?: (text: string) => string): void {
    const row = this.#texts[y];
    if (!row) return;
    let at = x;
    for (const { segment: character } of GRAPHEMES.segment(text)) {
      const width = columnsOf(character);
      if (width === 0) row[at - 1] = (row[at - 1] ?? '') + character;
      else row[at] = character;
      if (width === 2) row[at + 1] = '';
      at += width;
    }
    if (!paint) return;
    row.fill('', x, at);
    row[x] = paint(text);
  }

  /** Draws a horizontal or vertical line of a net between two cells. At a crossing the vertical line is visible. */
  line(from: Point, to: Point, net: number, dashed: boolean): void {
    const stepX = Math.sign(to.x - from.x);
    const stepY = Math.sign(to.y - from.y);
    const back = stepX === 0 ? (stepY > 0 ? SIDES.up : SIDES.down) : stepX > 0 ? SIDES.left : SIDES.right;
    const ahead = stepX === 0 ? (stepY > 0 ? SIDES.down : SIDES.up) : stepX > 0 ? SIDES.right : SIDES.left;
    let { x, y } = from;
    for (let first = true; ; first = false) {
      const last = x === to.x && y === to.y;
      this.#touch(x, y, (first ? 0 : back) | (last ? 0 : ahead), net, dashed);
      if (last) return;
      x += stepX;
      y += stepY;
    }
  }

  #touch(x: number, y: number, sides: number, net: number, dashed: boolean): void {
    const row = this.#lines[y];
    if (!row || sides === 0) return;
    const there = row[x];
    const upright = (bits: number): boolean => (bits & (SIDES.up | SIDES.down)) !== 0;
    if (there?.net === net) {
      there.sides |= sides;
      there.dashed &&= dashed;
    } else if (!there || (upright(sides) && !upright(there.sides))) row[x] = { sides, net, dashed };
  }

  toString(): string {
    return this.#texts
      .map((texts, y) => {
        let text = '';
        for (let x = 0; x < this.#width; x++) text += texts[x] ?? this.#lineAt(x, y);
        return text.trimEnd();
      })
      .join('\n');
  }

  #lineAt(x: number, y: number): string {
    const line = this.#lines[y]?.[x];
    if (!line) return ' ';
    const character = (this.#plain ? PLAIN : BOX_DRAWING)[line.sides] ?? ' ';
    return line.dashed && !this.#plain ? (DASHED.get(character) ?? character) : character;
  }
}
