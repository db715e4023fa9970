const FIRST_SIZE = 2;

/** The texts that hold one term, by number, and how often each does. */
export class PostingList {
  #numbers = new Uint32Array(FIRST_SIZE);
  #counts = new Uint16Array(FIRST_SIZE);
  #length = 0;
  #documents = 0;

  /** How many texts that are still there hold the term. */
  get documents(): number {
    return this.#documents;
  }

  add(number: number, count: number): void {
    if (this.#length === this.#numbers.length) this.#grow();
    this.#numbers[this.#length] = number;
    this.#counts[this.#length] = Math.min(count, 0xffff);
    this.#length += 1;
    this.#documents += 1;
  }

  /** Counts one text less; its entry stays until the list is made anew. */
  forgetOne(): void {
    this.#documents -= 1;
  }

  forEach(visit: (number: number, count: number) => void): void {
    for (let place = 0; place < this.#length; place += 1)
      visit(this.#numbers[place] ?? 0, this.#counts[place] ?? 0);
  }

  #grow(): void {
    const [numbers, counts] = [this.#numbers, this.#counts];
    this.#numbers = new Uint32Array(numbers.length * 2);
    this.#numbers.set(numbers);
    this.#counts = new Uint16Array(counts.length * 2);
    this.#counts.set(counts);
  }
}
