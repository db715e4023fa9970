// Owns: saving graph files from an editor, and the versions that saving keeps.
import { isDeepStrictEqual } from 'node:util';
import type { GraphFile } from '../../adapters/workspace/index.ts';
import type {
  GraphVersion,
  GraphVersionAnswer,
  SaveGraphAnswer,
  SaveGraphRequest,
  ShowGraphAnswer,
} from '../../api/index.ts';
import {
  diffDefinitions,
  type GraphDefinition,
  type GraphErrorCode,
  parseGraphText,
} from '../../graph/index.ts';
import { digestOf, type Json, OkaError } from '../../kernel/index.ts';
import { type GraphLibrary, invalid, nextVersion, textOfGraph } from './graph-library.ts';

type Definition = Partial<Pick<GraphDefinition, 'id' | 'version'>>;

/**
 * Writes a valid graph. I1 Only the content that the editor has read is replaced. The replaced version is kept. A changed graph
 * gets the next version number, unless the editor has set one.
 */
export async function saveGraph(library: GraphLibrary, request: SaveGraphRequest): Promise<SaveGraphAnswer> {
  const { files } = library;
  const path = files.find(request.graph)?.path ?? files.pathOf(request.graph);
  const { graph, diagnostics } = await library.compileDefinition(request.definition, path);
  if (graph === undefined) throw invalid(files.shown(path), diagnostics, 'Nothing was written.');
  const given = request.definition as unknown as GraphDefinition;
  // Nothing is awaited from here to the write, so that two editors of this process cannot both pass.
  const file = files.find(request.graph);
  requireRevision(request, file);
  if (file === undefined) {
    if (given.id !== request.graph) throw wrongId(request.graph, given.id);
    return { ...(await write(library, path, given)), diff: [] };
  }
  const before = definitionOf(file) as GraphDefinition;
  if (isDeepStrictEqual(before, given)) return { ...(await library.showFile(file)), diff: [] };
  const isSameVersion = String(before.version) === String(given.version);
  const after = isSameVersion ? { ...given, version: nextVersion(given.version) } : given;
  files.keep(given.id, String(before.version ?? ''), file.text);
  return { ...(await write(library, path, after)), diff: diffDefinitions(before, after) };
}

function write(library: GraphLibrary, path: string, definition: GraphDefinition): Promise<ShowGraphAnswer> {
  const text = textOfGraph(definition);
  library.files.write(path, text);
  return library.showFile({ path, text });
}

function requireRevision({ graph, revision }: SaveGraphRequest, read: GraphFile | undefined): void {
  const found = read === undefined ? undefined : digestOf(read.text);
  if (found === revision) return;
  const why =
    found === undefined
      ? 'its file is gone'
      : revision === undefined
        ? 'it exists already'
        : 'its file has changed since you opened it';
  const code: GraphErrorCode = 'graph.changed';
  throw new OkaError(code, `Graph "${graph}" was not saved: ${why}. Load it again and repeat your change.`, {
    data: { graph, revision: revision ?? null, found: found ?? null },
  });
}

function wrongId(graph: string, id: string): OkaError<GraphErrorCode> {
  return new OkaError('graph.invalid', `A new graph is saved under its own id: "${id}", not "${graph}".`, {
    data: { graph, id },
  });
}

/** The versions of a graph, the newest first. */
export function listVersions(library: GraphLibrary, graph: string): readonly GraphVersion[] {
  return versionsOf(library, graph).map(({ file, ...version }) => version);
}

export function showVersion(library: GraphLibrary, graph: string, revision: string): GraphVersionAnswer {
  const found = versionsOf(library, graph).find((version) => version.revision === revision);
  if (found === undefined) {
    const code: GraphErrorCode = 'graph.unknown_version';
    throw new OkaError(code, `Graph "${graph}" has no version ${revision}. See the list of its versions.`, {
      data: { graph, revision },
    });
  }
  const { file, ...version } = found;
  return { ...version, definition: (parseGraphText(file.text).definition ?? null) as Json };
}

function versionsOf(
  library: GraphLibrary,
  graph: string,
): readonly (GraphVersion & { readonly file: GraphFile })[] {
  const { files } = library;
  const current = library.file(graph);
  const { id } = definitionOf(current);
  const view = (file: GraphFile, at: number, isCurrent: boolean) => ({
    ...{ revision: digestOf(file.text), version: String(definitionOf(file).version ?? ''), at },
    ...{ path: files.shown(file.path), current: isCurrent, file },
  });
  const kept = id === undefined ? [] : files.kept(id).map(({ at, ...file }) => view(file, at, false));
  return [
    view(current, files.writtenAt(current.path), true),
    ...kept.sort((a, b) => b.at - a.at || (a.path < b.path ? 1 : -1)),
  ];
}

function definitionOf({ text }: GraphFile): Definition {
  return (parseGraphText(text).definition ?? {}) as Definition;
}
