import type { JsonObject } from '../kernel/index.ts';
import { stem, TextIndex, tokenise } from '../retrieval/index.ts';
import { type FilledParameters, fillParameters } from './fill-parameters.ts';
import { canBeFilled } from './parameters.ts';
import { isFiller } from './read-goal.ts';
import type { EarlierSteps, Goal, ReadableTool } from './types.ts';
import { isLooseVerb, meaningsOf } from './vocabulary.ts';

/** Scores of at least this share of the best count as equal; then the less harmful tool wins. */
const MIN_SCORE_SHARE = 0.85;
/** A missing parameter weighs more than any number of unused words. */
const MISSING_WEIGHT = 1_000;

/** The tool that a goal asks for, with the input in the goal. */
export interface ChosenTool<Tool extends ReadableTool> extends FilledParameters {
  readonly tool: Tool;
}

/** Finds tools by the words for their function. */
export class ToolChooser<Tool extends ReadableTool> {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #actions: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #index = new TextIndex({ name: 3 });

  constructor(tools: readonly Tool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#actions = new Map(tools.map((tool) => [tool.name, actionOf(tool)]));
    for (const { name, description } of tools) this.#index.add(name, { name, description });
  }

  /** True when the word is the verb of some tool. */
  isVerb(word: string): boolean {
    const meant = meaningsOf(word);
    return [...this.#tools.values()].some((tool) => this.#does(tool, meant));
  }

  /**
   * The tool that a goal asks for; undefined when it is not certain. A tool matches when its verb is the goal's; a
   * read-only tool also matches when it covers every word of the goal. Of several, the one with the fewest gaps wins,
   * then the least harmful, then the most relevant, then the least risky.
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
    const usable = [...this.#tools.values()].filter(canBeFilled);
    const doing = usable.filter((tool) => this.#does(tool, meant));
    const fitting = doing.length > 0 ? doing : usable.filter(covers);
    const filled = fitting.map((tool) => ({
      ...fillParameters(goal, tool, earlier),
      tool,
      score: found.get(tool.name)?.score ?? 0,
    }));
    const fewest = Math.min(...filled.map(gaps));
    const complete = filled.filter((one) => gaps(one) === fewest);
    const best = Math.max(...complete.map(({ score }) => score));
    const chosen = complete
      .filter(({ score }) => score >= best * MIN_SCORE_SHARE)
      .sort(
        (a, b) =>
          harm(a.tool) - harm(b.tool) ||
          b.score - a.score ||
          compareRisk(a.tool, b.tool) ||
          (a.tool.name < b.tool.name ? -1 : 1),
      )[0];
    return chosen && { ...chosen, input: keepFolder(goal, chosen.input) };
  }

  /** The tools with these words, best first; of equally good ones, the less harmful first. */
  nearest(words: readonly string[], limit: number): Tool[] {
    return this.#index
      .search(words.join(' '), this.#tools.size)
      .map(({ id, score }) => ({ tool: this.#tools.get(id) as Tool, score }))
      .sort((a, b) => b.score - a.score || harm(a.tool) - harm(b.tool) || compareRisk(a.tool, b.tool))
      .slice(0, limit)
      .map(({ tool }) => tool);
  }

  #does({ name }: Tool, meant: ReadonlySet<string>): boolean {
    return [...(this.#actions.get(name) ?? [])].some((action) => meant.has(action));
  }
}

/** A file that is renamed stays in its folder, unless the new name has one. */
function keepFolder({ verb }: Goal, input: JsonObject): JsonObject {
  const { from, to } = input;
  if (verb !== 'rename' || typeof from !== 'string' || typeof to !== 'string' || to.includes('/'))
    return input;
  return { ...input, to: from.slice(0, from.lastIndexOf('/') + 1) + to };
}

/** The meanings of the goal's verb. A loose verb counts only with a quoted text or the output of an earlier step. */
function verbsIn({ verb, parts }: Goal, earlier: EarlierSteps | undefined): ReadonlySet<string> {
  if (verb === undefined) return new Set();
  const given = parts.some(({ kind }) => kind === 'quoted') || earlier?.text() !== undefined;
  return isLooseVerb(verb) && !given ? new Set([stem(verb)]) : meaningsOf(verb);
}

/** The stems of the verbs in the last part of a tool's name; in `prior_runs` the runs are a noun. */
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

const RISKS: readonly string[] = ['none', 'low', 'medium', 'high', 'critical'];

/** Orders equally relevant tools: the lower risk first, then the local effect. */
function compareRisk(a: ReadableTool, b: ReadableTool): number {
  return riskOf(a) - riskOf(b) || reach(a) - reach(b);
}

function riskOf({ annotations }: ReadableTool): number {
  return RISKS.indexOf(annotations.risk);
}

function reach({ sideEffect }: ReadableTool): number {
  return sideEffect === 'external_mutation' ? 1 : 0;
}

function harm({ annotations }: ReadableTool): number {
  if (annotations.readOnly) return 0;
  if (annotations.destructive) return 3;
  return annotations.idempotent ? 1 : 2;
}
