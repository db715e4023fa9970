import { stem, TextIndex, tokenise } from '../retrieval/index.ts';
import { type FilledParameters, fillParameters } from './fill-parameters.ts';
import { canBeFilled } from './parameters.ts';
import { isFiller } from './read-goal.ts';
import type { EarlierSteps, Goal, ReadableTool } from './types.ts';
import { isLooseVerb, meaningsOf } from './vocabulary.ts';

/** Scores at least this near the best count as equal, and then the more harmless tool goes first. */
const NEAR = 0.85;
/** A missing parameter weighs more than any number of unused words. */
const MISSING_WEIGHT = 1_000;

/** A tool that a goal asks for, and what the goal says about its input. */
export interface ChosenTool<Tool extends ReadableTool> extends FilledParameters {
  readonly tool: Tool;
}

/** Finds tools by the words for what they do. */
export class ToolChooser<Tool extends ReadableTool> {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #actions: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #index = new TextIndex({ name: 3 });

  constructor(tools: readonly Tool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#actions = new Map(tools.map((tool) => [tool.name, actionOf(tool)]));
    for (const { name, description } of tools) this.#index.add(name, { name, description });
  }

  /** True when some tool does what the word says. */
  isVerb(word: string): boolean {
    const meant = meaningsOf(word);
    return [...this.#tools.values()].some((tool) => this.#does(tool, meant));
  }

  /**
   * The tool that a goal asks for; undefined when none surely is. A tool is meant when its own verb is the goal's; one
   * that only reads is also meant when it speaks of everything in the goal. Of several, the one for which the goal
   * leaves the fewest gaps is chosen, then the more harmless.
   */
  choose(goal: Goal, earlier?: EarlierSteps): ChosenTool<Tool> | undefined {
    const said = goal.parts.filter((part) => part.kind === 'word' && !isFiller(part)).map(({ text }) => text);
    const meant = verbsIn(goal, earlier);
    const hits = this.#index.search([...said, ...meant].join(' '), this.#tools.size);
    const found = new Map(hits.map((hit) => [hit.id, hit]));
    const terms = new Set(tokenise(said.join(' ')));
    const covers = ({ name, annotations }: Tool): boolean =>
      annotations.readOnly &&
      terms.size > 1 &&
      [...terms].every((term) => found.get(name)?.terms.includes(term));
    const doing = [...this.#tools.values()].filter((tool) => this.#does(tool, meant) && canBeFilled(tool));
    const fitting =
      doing.length > 0
        ? doing
        : [...this.#tools.values()].filter((tool) => covers(tool) && canBeFilled(tool));
    const filled = fitting.map((tool) => ({
      ...fillParameters(goal, tool, earlier),
      tool,
      score: found.get(tool.name)?.score ?? 0,
    }));
    const fewest = Math.min(...filled.map(gaps));
    const complete = filled.filter((one) => gaps(one) === fewest);
    const best = Math.max(...complete.map(({ score }) => score));
    return complete
      .filter(({ score }) => score >= best * NEAR)
      .sort(
        (a, b) => harm(a.tool) - harm(b.tool) || b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1),
      )[0];
  }

  /** The tools that speak of the same things, best first, whether or not they can do it. */
  nearest(words: readonly string[], limit: number): Tool[] {
    return this.#index.search(words.join(' '), limit).map(({ id }) => this.#tools.get(id) as Tool);
  }

  #does({ name }: Tool, meant: ReadonlySet<string>): boolean {
    return [...(this.#actions.get(name) ?? [])].some((action) => meant.has(action));
  }
}

/** What the goal's verb may mean. A loose verb counts only beside a quoted text or the output of an earlier step. */
function verbsIn({ verb, parts }: Goal, earlier: EarlierSteps | undefined): ReadonlySet<string> {
  if (verb === undefined) return new Set();
  const given = parts.some(({ kind }) => kind === 'quoted') || earlier?.text() !== undefined;
  return isLooseVerb(verb) && !given ? new Set([stem(verb)]) : meaningsOf(verb);
}

/** The stems of the last part of a tool's name that can say what it does; in `prior_runs` the runs are things. */
function actionOf({ name }: ReadableTool): ReadonlySet<string> {
  const words = name
    .slice(name.lastIndexOf('.') + 1)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return new Set(words.filter((word) => !/[^s]s$/.test(word)).map(stem));
}

function gaps({ missing, unplaced }: FilledParameters): number {
  return missing.length * MISSING_WEIGHT + unplaced.length;
}

function harm({ annotations }: ReadableTool): number {
  if (annotations.readOnly) return 0;
  if (annotations.destructive) return 3;
  return annotations.idempotent ? 1 : 2;
}
