import { StringDecoder } from 'node:string_decoder';

const MOST_LINES = 20;
const LONGEST_LINE = 500;

/** The last lines of a stream, to say what a server complained about before it ended. */
export class LastLines {
  readonly #decoder = new StringDecoder('utf8');
  #lines: string[] = [''];

  add(chunk: Buffer): void {
    const [first = '', ...more] = this.#decoder.write(chunk).split('\n');
    const last = this.#lines.pop() ?? '';
    this.#lines = [...this.#lines, last + first, ...more]
      .slice(-MOST_LINES)
      .map((line) => line.slice(0, LONGEST_LINE));
  }

  text(): string {
    return this.#lines.join('\n').trim();
  }
}
