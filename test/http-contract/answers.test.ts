// Every GET route is called on a workspace that has something of everything. `checkedOka` compares each answer with its schema.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HTTP_ROUTES, type HttpRoute, httpInput, methodOf } from '../../src/api/index.ts';
import { type LivedInWorkspace, openLivedInWorkspace } from './lived-in-workspace.ts';

let place: LivedInWorkspace;
beforeAll(async () => {
  place = await openLivedInWorkspace();
}, 60_000);
afterAll(() => place.close());

/** The parameters that a route needs. */
function neededBy({ operation }: HttpRoute): {
  params: Record<string, string>;
  query?: Record<string, string>;
} {
  const { ids, graph } = place;
  switch (operation) {
    case 'runs.changes':
      return { params: {}, query: { runs: ids.run } };
    case 'approvals.show':
      return { params: { id: ids.approval } };
    case 'graphs.render':
      return { params: {}, query: { run: ids.graphRun } };
    case 'memory.getFact':
    case 'memory.factPlaces':
    case 'memory.history':
      return { params: { id: ids.fact } };
    case 'memory.searchFacts':
    case 'memory.searchDaily':
    case 'memory.retrieve':
      return { params: {}, query: { query: 'sky' } };
    case 'memoryPack.preview':
    case 'procedures.find':
      return { params: {}, query: { goal: 'read notes.txt' } };
    case 'context.diff':
      return { params: {}, query: { from: ids.root, to: ids.root } };
    case 'graphs.schedules.preview':
      return { params: {}, query: { cron: '0 9 * * *' } };
    case 'graphs.schedules.firings':
      return { params: { id: ids.schedule } };
    case 'context.children':
      return { params: {}, query: { node: '.' } };
    case 'context.getNode':
    case 'context.listFrames':
    case 'context.getHead':
    case 'context.compose':
      return { params: {}, query: { node: 'notes.txt' } };
    case 'tools.show':
      return { params: { name: 'files.read' } };
    case 'agents.show':
      return { params: { name: 'anton' } };
    default:
      return {
        params: {
          ...{ run: ids.graphRun, graph: graph.id, key: 'greeting', conversation: 'plans' },
        },
      };
  }
}

/** Routes of things that this workspace does not have, and what they answer. */
const ABSENT: Readonly<Record<string, string>> = {
  'runs.artifact': 'engine.artifact_missing',
  'graphs.version': 'graph.unknown_version',
  'procedures.show': 'procedures.unknown',
  'procedures.explain': 'procedures.unknown',
  'evals.show': 'eval.unknown',
  'skills.show': 'skills.unknown',
};
const ABSENT_PARAMS = { digest: 'sha256:0', revision: 'sha256:0', procedure: 'nothing', name: 'nothing' };

async function call(route: HttpRoute): Promise<unknown> {
  const { params, query = {} } = neededBy(route);
  const all: Record<string, string> = { ...ABSENT_PARAMS, ...params };
  const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const given = Object.fromEntries(named.map((name) => [name, all[name] ?? '']));
  const input = await httpInput(route, { params: given, query });
  return methodOf(place.api, route.operation)(...input);
}

describe('the answer matches its schema:', () => {
  const reads = HTTP_ROUTES.filter(({ method }) => method === 'GET');
  test.each(reads.map((route) => [`GET ${route.path}`, route] as const))(
    '%s',
    async (_, route) => {
      const absent = ABSENT[route.operation];
      if (absent !== undefined) await expect(call(route)).rejects.toMatchObject({ code: absent });
      else await call(route);
    },
    60_000,
  );
});
