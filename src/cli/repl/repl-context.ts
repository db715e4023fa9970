import { Context } from '../context.ts';
import { Printer } from '../printer.ts';

/** Prints messages above the input line. */
class ReplPrinter extends Printer {
  readonly #print: (text: string) => void;

  constructor(print: (text: string) => void) {
    super({ json: false, quiet: false });
    this.#print = print;
  }

  override message(text: string): void {
    this.#print(text);
  }
}

export class ReplContext extends Context {
  #replPrinter: Printer | undefined;

  override get printer(): Printer {
    return this.#replPrinter ?? super.printer;
  }

  printMessagesWith(print: (text: string) => void): void {
    this.#replPrinter = new ReplPrinter(print);
  }
}
