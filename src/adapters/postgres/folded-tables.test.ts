import { expect, test } from 'vitest';
import { LedgerEvent, type Projection, type RowChange, type TableSpec } from '../../ledger/index.ts';
import { FoldedTables } from './folded-tables.ts';

const spec: TableSpec = {
  name: 'runs',
  columns: { id: 'text', status: 'text', epoch: 'integer' },
  key: ['id'],
};

function statementsOf(...changes: readonly RowChange[]) {
  const projection: Projection = {
    name: 'test',
    tables: [spec],
    types: new Set(['noted']),
    apply: () => changes,
  };
  const event = new LedgerEvent({
    ...{ seq: 1, stream: 's', index: 0, type: 'noted', at: 0, actor: 'a', ends: true },
    ...{ dataText: '{}', bodyText: null, salt: null, bodyDigest: null, chain: '' },
  });
  return new FoldedTables([projection]).statements([event]);
}

const patch = (id: string, status: string): RowChange => ({
  table: 'runs',
  patch: { status },
  where: { id },
});

test('patches of different rows are one statement', () => {
  const [only, ...rest] = statementsOf(patch('a', 'running'), patch('b', 'ended'));
  expect(rest).toEqual([]);
  expect(only?.text).toMatch(/UPDATE runs AS old SET status = new.status\s+FROM unnest/);
  expect(only?.values).toEqual([
    ['running', 'ended'],
    ['a', 'b'],
  ]);
});

test('a second patch of a row, other columns and other kinds of changes are statements of their own, in order', () => {
  const put: RowChange = { table: 'runs', put: { id: 'c', status: 'pending', epoch: 0 } };
  const statements = statementsOf(
    ...[patch('a', 'running'), patch('a', 'ended')],
    { table: 'runs', patch: { epoch: 2 }, where: { id: 'a' } },
    put,
    { table: 'runs', delete: { id: 'b' } },
  );
  expect(statements.map(({ text }) => text.split(/\s/)[0])).toEqual([
    'UPDATE',
    'UPDATE',
    'UPDATE',
    'INSERT',
    'DELETE',
  ]);
  expect(statements.slice(0, 2).map(({ values }) => values[0])).toEqual([['running'], ['ended']]);
});

test('a patch of the column that it is found by is a statement of its own', () => {
  const rename = (from: string, to: string): RowChange => ({
    table: 'runs',
    patch: { status: to },
    where: { status: from },
  });
  const statements = statementsOf(rename('running', 'pending'), rename('pending', 'ended'));
  expect(statements.map(({ values }) => values)).toEqual([
    ['pending', 'running'],
    ['ended', 'pending'],
  ]);
});
