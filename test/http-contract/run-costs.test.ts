import { expect, it } from 'vitest';
import { SqlRunFigures } from '../../src/adapters/sql/index.ts';
import { openForThisTest } from '../support/open-test-ledger.ts';

/** Records a run that spends. */
async function record(
  store: ReturnType<typeof openForThisTest>['store'],
  { id, parent, costs }: { id: string; parent?: string; costs: readonly (number | undefined)[] },
): Promise<void> {
  const lineage = { root: parent ?? id, depth: 0, origin: id, ...(parent ? { parent } : {}) };
  const started = { kind: 'agent', lineage, pins: { graph: 'g' }, epoch: 1, status: 'running' };
  await store.commit({
    ...{ actor: 'test', sync: 'normal' },
    appends: [
      {
        stream: `run/${id}`,
        events: [
          { type: 'run.started', data: started },
          ...costs.map((cost) => ({
            type: 'step.completed',
            data: { spend: { model_calls: 1, ...(cost === undefined ? {} : { cost_usd: cost }) } },
          })),
        ],
      },
    ],
  });
}

it('the cost of a root includes its tree; that of a child is its own; without a price it is missing', async () => {
  const { store, tables } = openForThisTest();
  await record(store, { id: 'a', costs: [0.5, 0.25] });
  await record(store, { id: 'b', parent: 'a', costs: [1] });
  await record(store, { id: 'c', costs: [undefined] });
  const figures = new SqlRunFigures(tables);
  expect(Object.fromEntries(await figures.costs(['a', 'b', 'c', 'unknown']))).toEqual({ a: 1.75, b: 1 });
});
