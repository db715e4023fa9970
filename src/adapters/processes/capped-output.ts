/** Captures output up to a limit: keeps its beginning and its end, and counts the middle. */
export class CappedOutput {
  readonly #maxHead: number;
  readonly #maxTail: number;
  readonly #head: Uint8Array[] = [];
  readonly #tail: Uint8Array[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #total = 0;

  constructor(headBytes: number, tailBytes: number) {
    this.#maxHead = headBytes;
    this.#maxTail = tailBytes;
  }

  add(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const first = chunk.subarray(0, this.#maxHead - this.#headBytes);
    if (first.length > 0) this.#head.push(first);
    this.#headBytes += first.length;
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    for (;;) {
      const oldest = this.#tail[0]?.length ?? 0;
      if (this.#tail.length === 0 || this.#tailBytes - oldest < this.#maxTail) return;
      this.#tail.shift();
      this.#tailBytes -= oldest;
    }
  }

  get truncated(): boolean {
    return this.#total > this.#maxHead + this.#maxTail;
  }

  text(): string {
    if (!this.truncated) return new TextDecoder().decode(Buffer.concat([...this.#head, ...this.#tail]));
    // Drops a character that was cut at either side.
    const head = new TextDecoder().decode(Buffer.concat(this.#head), { stream: true });
    const all = Buffer.concat(this.#tail);
    const tail = all.subarray(Math.max(0, all.length - this.#maxTail));
    const start = tail.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80);
    const left = this.#total - this.#headBytes - tail.length;
    return `${head}\n[${left} bytes left out]\n${new TextDecoder().decode(tail.subarray(Math.max(0, start)))}`;
  }
}
