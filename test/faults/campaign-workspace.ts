import { Workspace, type WorkspaceOptions } from '../cli/oka-process.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { outputOf } from './run-oka.ts';
import { ROOM } from './write-items.mjs';

/** A graph that stores its input word. */
const NOTE = {
  ...defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'keep' },
      { node_id: 'keep', type: 'write_state', key: 'word', value: '{{input.word}}', next: 'end' },
      { node_id: 'end', type: 'end', input: { word: '{{input.word}}' } },
    ],
    { id: 'note' },
  ),
  input_schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};

/** A trusted workspace with the graph and the conversation that the writers use. */
export async function campaignWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const workspace = Workspace.trusted({
    ...options,
    files: {
      'README.md': '# Garden\n',
      'large.txt': 'a bed of roses, a path of gravel\n'.repeat(8_000),
      '.oka/graphs/note.json': JSON.stringify(NOTE),
    },
  });
  await outputOf(workspace, 'chat', 'new', ROOM);
  return workspace;
}
