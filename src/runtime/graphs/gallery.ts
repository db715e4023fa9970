import { basename } from 'node:path';
import { readGallery } from '../../adapters/workspace/index.ts';
import type { GalleryGraph } from '../../api/index.ts';
import { type GraphDefinition, parseGraphText } from '../../graph/index.ts';
import type { Json } from '../../kernel/index.ts';

/** The examples of the package, each with the other examples that it calls. */
export function galleryGraphs(): readonly GalleryGraph[] {
  const examples = readGallery().map(({ path, text }) => {
    const definition = parseGraphText(text).definition as unknown as GraphDefinition;
    const { nodes, description = '' } = definition;
    return {
      name: basename(path, '.json'),
      file: path,
      description,
      model: nodes.some(({ type }) => /^(llm|ai)_/.test(type)),
      calls: nodes.flatMap((node) => ('graph' in node ? [node.graph] : [])),
      definition: definition as unknown as Json,
    };
  });
  const called = new Set(examples.flatMap(({ calls }) => calls));
  return examples.map((example) => ({ ...example, isPart: called.has(example.name) }));
}
