const FIRST_SIZE = 4096;

/** Writes counts, texts and floats one after the other, in little-endian order. */
export class ByteWriter {
  #buffer = new Uint8Array(FIRST_SIZE);
  #length = 0;

  count(value: number): void {
    this.#view(4).setUint32(0, value, true);
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value);
    this.count(encoded.length);
    this.#view(encoded.length);
    this.#buffer.set(encoded, this.#length - encoded.length);
  }

  floats(values: Float32Array): void {
    const view = this.#view(values.length * 4);
    values.forEach((value, place) => {
      view.setFloat32(place * 4, value, true);
    });
  }

  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  /** A view of the next bytes, which are then taken. */
  #view(size: number): DataView {
    const start = this.#length;
    this.#length += size;
    if (this.#length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length));
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    return new DataView(this.#buffer.buffer, start, size);
  }
}

/** Reads what a `ByteWriter` wrote; past the end it throws a RangeError. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #place = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  count(): number {
    return this.#view(4).getUint32(0, true);
  }

  text(): string {
    const view = this.#view(this.count());
    return new TextDecoder().decode(view);
  }

  floats(length: number): Float32Array {
    const view = this.#view(length * 4);
    return Float32Array.from({ length }, (_, place) => view.getFloat32(place * 4, true));
  }

  #view(size: number): DataView {
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#place, size);
    if (this.#place + size > this.#bytes.length) throw new RangeError('the bytes end too early');
    this.#place += size;
    return view;
  }
}
