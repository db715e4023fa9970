import { stem, TextIndex, tokenise } from '../../retrieval/index.ts';
import type { BuildTool } from './types.ts';

/** What people say for what tools are called. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  read: ['show', 'open', 'load', 'print', 'view'],
  list: ['enumerate'],
  search: ['find', 'grep', 'look', 'locate'],
  write: ['save', 'create', 'store', 'put'],
  delete: ['remove', 'erase'],
  move: ['rename'],
  fetch: ['download', 'get'],
  send: ['post', 'tell', 'message', 'notify'],
  run: ['execute', 'start', 'call'],
};

/** Scores at least this near the best count as equal, and then the more harmless tool goes first. */
const NEAR = 0.85;

/** The tools, by what they do and speak of. */
export class ToolWords {
  readonly #tools: ReadonlyMap<string, BuildTool>;
  readonly #index = new TextIndex({ name: 3 });
  readonly #actions: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(tools: readonly BuildTool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#actions = new Map(tools.map((tool) => [tool.name, actionOf(tool)]));
    for (const { name, description } of tools) this.#index.add(name, { name, description });
  }

  /** True when some tool does what the word says. */
  isVerb(word: string): boolean {
    const meant = meanings(word);
    return [...this.#actions.values()].some((action) => [...action].some((name) => meant.has(name)));
  }

  /** The tools that do what the verb says, best first: by what else the step speaks of, then the more harmless. */
  doing(verb: string, words: readonly string[]): BuildTool[] {
    const meant = meanings(verb);
    const fits = [...this.#tools.values()].filter(({ name }) =>
      [...(this.#actions.get(name) ?? [])].some((action) => meant.has(action)),
    );
    const hits = this.#index.search([...words, ...meant].join(' '), this.#tools.size);
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    const score = ({ name }: BuildTool): number => scores.get(name) ?? 0;
    const best = Math.max(0, ...fits.map(score));
    const near = (tool: BuildTool): number => (score(tool) >= best * NEAR ? 0 : 1);
    return fits.sort(
      (a, b) => near(a) - near(b) || harm(a) - harm(b) || score(b) - score(a) || (a.name < b.name ? -1 : 1),
    );
  }

  /** The names of tools that speak of the same things, for people to look at. */
  nearest(words: readonly string[], limit: number): string[] {
    return this.#index.search(words.join(' '), limit).map(({ id }) => id);
  }
}

/** The stems of a verb and of the tools' words for it. */
function meanings(verb: string): ReadonlySet<string> {
  const said = stem(verb.toLowerCase());
  const names = Object.keys(SYNONYMS).filter((name) => SYNONYMS[name]?.some((word) => stem(word) === said));
  return new Set([said, ...names.map(stem)]);
}

/** The words of the last part of a tool's name: what it does. */
function actionOf({ name }: BuildTool): ReadonlySet<string> {
  return new Set(tokenise(name.slice(name.lastIndexOf('.') + 1)));
}

function harm({ annotations }: BuildTool): number {
  if (annotations.readOnly) return 0;
  if (annotations.destructive) return 3;
  return annotations.idempotent ? 1 : 2;
}
