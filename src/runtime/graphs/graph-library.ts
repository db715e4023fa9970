import type { GraphFile, GraphFiles } from '../../adapters/workspace/index.ts';
import type {
  CheckGraphAnswer,
  GuaranteeMode,
  PatchAnswer,
  ShowGraphAnswer,
  ValidateAnswer,
} from '../../api/index.ts';
import type { Tool } from '../../engine/index.ts';
import {
  type CompiledGraph,
  type CompileResult,
  compileGraph,
  diffDefinitions,
  type GraphDefinition,
  parseGraphText,
  patchGraph,
  quickFixOf,
  type ToolDirectory,
  toStateGraph,
} from '../../graph/index.ts';
import { digestOf, type Json, nearestName, OkaError } from '../../kernel/index.ts';

/** A compiled graph and its file. */
export interface FoundGraph {
  readonly file: GraphFile;
  readonly compiled: CompiledGraph;
  readonly warnings: CompileResult['diagnostics'];
}

/** The graphs of a workspace: finding, checking and changing their files. */
export class GraphLibrary {
  readonly files: GraphFiles;
  readonly #tools: () => Promise<readonly Tool[]>;

  constructor(files: GraphFiles, tools: () => Promise<readonly Tool[]>) {
    this.files = files;
    this.#tools = tools;
  }

  file(name: string): GraphFile {
    const file = this.files.find(name);
    if (file) return file;
    const nearest = nearestName(name, this.files.ids());
    const hint = nearest === undefined ? 'see: oka graph list' : `did you mean "${nearest}"?`;
    throw new OkaError(
      'graph.unknown',
      `there is no graph "${name}", neither as an id nor as a path; ${hint}`,
      {
        data: { graph: name },
      },
    );
  }

  async compile(file: GraphFile, mode?: GuaranteeMode): Promise<CompileResult> {
    const parsed = parseGraphText(file.text);
    if (parsed.definition === undefined) return { diagnostics: parsed.diagnostics };
    return this.compileDefinition(parsed.definition, file.path, mode);
  }

  async compileDefinition(
    definition: unknown,
    from: string | undefined,
    mode?: GuaranteeMode,
  ): Promise<CompileResult> {
    const tools = toolDirectory(await this.#tools());
    const find = (name: string): unknown => {
      const used = this.files.find(name, from);
      return used && parseGraphText(used.text).definition;
    };
    return compileGraph(definition, { tools, graphs: { find }, ...(mode === undefined ? {} : { mode }) });
  }

  /** The graph, or an error that carries every diagnostic. */
  async require(name: string, mode?: GuaranteeMode): Promise<FoundGraph> {
    const file = this.file(name);
    const { graph, diagnostics } = await this.compile(file, mode);
    if (graph) return { file, compiled: graph, warnings: diagnostics };
    throw invalid(this.files.shown(file.path), diagnostics);
  }

  async validate(name: string, mode?: GuaranteeMode): Promise<ValidateAnswer> {
    const { graph, diagnostics } = await this.compile(this.file(name), mode);
    return { valid: graph !== undefined, ...(graph ? { hash: await hashOf(graph) } : {}), diagnostics };
  }

  /** Validates a definition that is not in a file. */
  async check(definition: Json, mode?: GuaranteeMode): Promise<CheckGraphAnswer> {
    const { graph, diagnostics } = await this.compileDefinition(definition, undefined, mode);
    const tools = (await this.#tools()).map(({ name }) => name);
    return {
      valid: graph !== undefined,
      ...(graph ? { hash: await hashOf(graph) } : {}),
      diagnostics: diagnostics.map((diagnostic) => {
        const fix = quickFixOf(diagnostic, definition, tools);
        return fix === undefined ? diagnostic : { ...diagnostic, fix };
      }),
    };
  }

  async show(name: string): Promise<ShowGraphAnswer> {
    return this.showFile(this.file(name));
  }

  async showFile(file: GraphFile): Promise<ShowGraphAnswer> {
    const { graph, diagnostics } = await this.compile(file);
    const definition = (parseGraphText(file.text).definition ?? null) as Json;
    return {
      path: this.files.shown(file.path),
      revision: digestOf(file.text),
      definition,
      valid: graph !== undefined,
      ...(graph ? { hash: await hashOf(graph) } : {}),
      diagnostics,
    };
  }

  /** Changes one field of one node, validates the result and keeps the previous version. */
  async patch(name: string, node: string, field: string, value: Json): Promise<PatchAnswer> {
    const { file, compiled } = await this.require(name);
    const before = compiled.definition;
    const changed = patchGraph(before, node, field, value);
    const after = { ...changed, version: nextVersion(before.version) };
    const { graph, diagnostics } = await this.compileDefinition(after, file.path);
    if (graph === undefined)
      throw invalid(`${this.files.shown(file.path)} with this change`, diagnostics, 'Nothing was written.');
    const kept = this.files.keep(before.id, String(before.version), file.text);
    this.files.write(file.path, textOfGraph(after));
    return {
      path: this.files.shown(file.path),
      version: String(after.version),
      hash: await hashOf(graph),
      diff: diffDefinitions(before, after),
      kept: this.files.shown(kept),
      diagnostics,
    };
  }

  /** Writes a new graph under its id; never replaces one. */
  write(definition: GraphDefinition): string {
    const path = this.files.pathOf(definition.id);
    if (this.files.find(definition.id)) {
      throw new OkaError(
        'graph.exists',
        `there is a graph "${definition.id}" already; give another id with --id.`,
        {
          data: { graph: definition.id },
        },
      );
    }
    this.files.write(path, textOfGraph(definition));
    return this.files.shown(path);
  }
}

export function toolDirectory(tools: readonly Tool[]): ToolDirectory {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    names: () => [...byName.keys()],
    find: (name) => {
      const tool = byName.get(name);
      if (tool === undefined) return undefined;
      const { idempotent, readOnly } = tool.annotations;
      return { name, idempotent, readOnly, inputSchema: () => tool.input.json() };
    },
  };
}

export function invalid(
  what: string,
  diagnostics: CompileResult['diagnostics'],
  next = 'See all with: oka graph validate.',
): OkaError<'graph.invalid'> {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const more = errors.length > 1 ? ` and ${errors.length - 1} more` : '';
  return new OkaError(
    'graph.invalid',
    `${what} is not valid: ${first?.path ?? '$'}: ${withoutStop(first?.message ?? 'unknown')}${more}. ${next}`,
    { data: { diagnostics } },
  );
}

/** A sentence without its full stop. */
export function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/** The digests that runs of the graph are pinned to. */
async function hashOf(graph: CompiledGraph): Promise<string> {
  return (await toStateGraph(graph, async (used) => used.hash)).hash;
}

export function textOfGraph(definition: GraphDefinition): string {
  return `${JSON.stringify(definition, null, 2)}\n`;
}

/** The next version: its last number plus one. */
export function nextVersion(version: string | number): string | number {
  if (typeof version === 'number') return Number.isInteger(version) ? version + 1 : Math.floor(version) + 1;
  const match = /^(.*?)(\d+)(\D*)$/s.exec(version);
  return match ? `${match[1]}${Number(match[2]) + 1}${match[3]}` : `${version}.1`;
}
