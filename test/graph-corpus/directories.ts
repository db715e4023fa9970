import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphDirectory, ToolDirectory, ToolEntry } from '../../src/graph/index.ts';

export const corpus = import.meta.dirname;

/** The one tool that the graphs of the corpus call. */
const READ: ToolEntry = {
  name: 'files.read',
  idempotent: true,
  readOnly: true,
  inputSchema: () => ({
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      limit: { type: 'integer', minimum: 1 },
      encoding: { enum: ['utf8', 'base64'] },
    },
    required: ['path'],
    additionalProperties: false,
  }),
};

export const tools: ToolDirectory = {
  find: (name) => (name === READ.name ? READ : undefined),
  names: () => [READ.name],
};

/** The graphs that other graphs of the corpus use. */
export const graphs: GraphDirectory = {
  find: (name) => used.get(name),
};

const used = new Map<string, unknown>(
  readdirSync(join(corpus, 'used')).map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(join(corpus, 'used', file), 'utf8')),
  ]),
);

/** The files of a folder of the corpus, as text, by their name without extension. */
export function readCorpus(folder: 'valid' | 'broken'): [name: string, text: string][] {
  return readdirSync(join(corpus, folder)).map((file) => [
    file.replace(/\.json(\.txt)?$/, ''),
    readFileSync(join(corpus, folder, file), 'utf8'),
  ]);
}
