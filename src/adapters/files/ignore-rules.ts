import ignore, { type Ignore } from 'ignore';

/** The ignore files of a folder. */
export const IGNORE_FILES = ['.gitignore', '.okaignore'] as const;

interface Layer {
  readonly folder: string;
  readonly rules: Ignore;
}

/** The ignore rules from the workspace down to a folder. The nearest file wins. */
export class IgnoreRules {
  static readonly none = new IgnoreRules([]);
  readonly #layers: readonly Layer[];

  private constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  /** Adds the rules of the ignore files in `folder`. */
  with(folder: string, texts: readonly string[]): IgnoreRules {
    if (texts.length === 0) return this;
    const rules = ignore({ ignorecase: false }).add(texts.join('\n'));
    return new IgnoreRules([...this.#layers, { folder, rules }]);
  }

  ignores(path: string, isFolder: boolean): boolean {
    let ignored = false;
    for (const { folder, rules } of this.#layers) {
      const below = folder === '.' ? path : path.slice(folder.length + 1);
      const verdict = rules.test(isFolder ? `${below}/` : below);
      if (verdict.ignored) ignored = true;
      else if (verdict.unignored) ignored = false;
    }
    return ignored;
  }
}
