/** What a run recalls is untrusted, so what it remembers afterwards waits for a review. */
export const HEARSAY = {
  id: 'hearsay',
  name: 'Hearsay',
  version: 1,
  start: 'start',
  execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 30, max_retries: 1 },
  nodes: [
    { node_id: 'start', type: 'start', next: 'recall' },
    { node_id: 'recall', type: 'tool', tool: 'memory.recall', args: { query: 'Ada' }, next: 'remember' },
    {
      node_id: 'remember',
      type: 'tool',
      tool: 'memory.remember',
      args: { text: '{{input.text}}' },
      next: 'end',
    },
    { node_id: 'end', type: 'end' },
  ],
};
