import { Context } from '../context.ts';
import { Printer } from '../printer.ts';

/** Messages go above the line that is being typed. */
class TalkPrinter extends Printer {
  readonly #tell: (text: string) => void;

  constructor(tell: (text: string) => void) {
    super({ json: false, quiet: false });
    this.#tell = tell;
  }

  override message(text: string): void {
    this.#tell(text);
  }
}

/** The context of a session: what there is to know is told where the person can type on. */
export class TalkContext extends Context {
  #talking: Printer | undefined;

  override get printer(): Printer {
    return this.#talking ?? super.printer;
  }

  /** From here on messages go there. */
  tellBy(tell: (text: string) => void): void {
    this.#talking = new TalkPrinter(tell);
  }
}
