import type { JsonObject } from '../../src/kernel/index.ts';

/** A graph of five nodes: two that read, one that changes something outside, and two that compute. */
export function fiveNodes(address: string): JsonObject {
  const request = (node_id: string, method: string, path: string, next: string): JsonObject => ({
    node_id,
    type: 'tool',
    tool: 'http.fetch',
    args: { method, url: `${address}/${path}/{{input.n}}` },
    // A worker whose network is cut cannot reach the address either.
    max_retries: 5,
    next,
  });
  const compute = (node_id: string, next: string): JsonObject => ({
    node_id,
    type: 'transform',
    expression: "{'computed': true}",
    next,
  });
  return {
    id: 'five',
    name: 'five',
    version: 1,
    start: 'start',
    execution_defaults: { guarantee_mode: 'flex' },
    nodes: [
      { node_id: 'start', type: 'start', next: 'first' },
      request('first', 'GET', 'first', 'two'),
      compute('two', 'effect'),
      request('effect', 'PUT', 'effect', 'four'),
      compute('four', 'fifth'),
      request('fifth', 'GET', 'fifth', 'end'),
      { node_id: 'end', type: 'end' },
    ],
  };
}
