import { StringDecoder } from 'node:string_decoder';

const MAX_LINES = 20;
const MAX_LINE_LENGTH = 500;

/** The last lines of a stream, for error messages about an ended server. */
export class LastLines {
  readonly #decoder = new StringDecoder('utf8');
  #lines: string[] = [''];

  add(chunk: Buffer): void {
    const [first = '', ...more] = this.#decoder.write(chunk).split('\n');
    const last = this.#lines.pop() ?? '';
    this.#lines = [...this.#lines, last + first, ...more]
      .slice(-MAX_LINES)
      .map((line) => line.slice(0, MAX_LINE_LENGTH));
  }

  text(): string {
    return this.#lines.join('\n').trim();
  }
}
