// Owns: the state graph that a recorded run would have today.
import { ASKING_GRAPH, DIRECT_GRAPH } from '../../assistant/index.ts';
import { type RunKind, type RunState, StateGraph, type StateGraphSpec } from '../../engine/index.ts';
import { diffDefinitions, runningGraph, toStateGraph } from '../../graph/index.ts';
import type { Digest } from '../../kernel/index.ts';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import type { GraphLibrary } from '../graphs/graph-library.ts';

/** The graphs of a case's runs: automations from their files, all others from the code. */
export class CurrentGraphs {
  readonly #library: GraphLibrary;
  readonly #blob: (digest: Digest) => string | undefined;
  /** The graphs that other graphs of the case use, by id. */
  readonly #used = new Map<string, StateGraph>();
  readonly #found = new Map<string, StateGraph>();
  /** How the graphs of the files differ from the recorded ones. */
  readonly changes = new Set<string>();
  /** Graphs that the workspace no longer has, or that are invalid. */
  readonly missing = new Set<string>();

  constructor(library: GraphLibrary, blob: (digest: Digest) => string | undefined) {
    this.#library = library;
    this.#blob = blob;
  }

  /** The graphs that other graphs use. */
  get used(): Iterable<StateGraph> {
    return this.#used.values();
  }

  async graphOf(run: RunState, kind: RunKind): Promise<StateGraph> {
    const key = `${run.id} ${run.pins.graph}`;
    const found = this.#found.get(key) ?? (await this.#find(run, kind));
    this.#found.set(key, found);
    return found;
  }

  async #find(run: RunState, kind: RunKind): Promise<StateGraph> {
    if (kind.name !== 'graph') {
      const known = [kind.graph, DIRECT_GRAPH, ASKING_GRAPH];
      const same = known.find(({ hash }) => hash === run.pins.graph);
      if (same !== undefined) return same;
      const pinned = this.pinned(run);
      return known.find(({ spec }) => spec.name === pinned.spec.name) ?? pinned;
    }
    const pinned = this.pinned(run);
    const { definition, mode } = runningGraph(pinned);
    const used = run.lineage.parent === undefined ? undefined : this.#used.get(definition.id);
    try {
      const own = definition.execution_defaults.guarantee_mode;
      const graph = used ?? (await this.#compile(nameOf(run), mode === own ? undefined : mode));
      if (graph.hash !== pinned.hash)
        for (const line of diffDefinitions(definition, runningGraph(graph).definition))
          this.changes.add(`graph ${definition.id}: ${line}`);
      return graph;
    } catch (error) {
      if (!isOkaError(error, 'graph.unknown') && !isOkaError(error, 'graph.invalid')) throw error;
      this.missing.add(error.message);
      return pinned;
    }
  }

  async #compile(name: string, mode: Parameters<GraphLibrary['require']>[1]): Promise<StateGraph> {
    const { compiled } = await this.#library.require(name, mode);
    return toStateGraph(compiled, async (graph) => {
      this.#used.set(runningGraph(graph).definition.id, graph);
      return graph.hash;
    });
  }

  /** The recorded graph of a run. */
  pinned({ id, pins }: RunState): StateGraph {
    const text = this.#blob(pins.graph);
    if (text !== undefined) return new StateGraph(JSON.parse(text) as StateGraphSpec);
    throw new OkaError(
      'eval.invalid',
      `The case has no graph ${pins.graph} for run ${id}. Add the case again.`,
    );
  }
}

function nameOf({ vars, subject }: RunState): string {
  const { graph_source: source } = vars;
  return typeof source === 'string' ? source : (subject ?? '');
}
