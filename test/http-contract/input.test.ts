import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  HTTP_ROUTES,
  type HttpRoute,
  httpInput,
  isOkaError,
  methodOf,
  toProblem,
} from '../../src/api/index.ts';
import type { OperationName } from '../../src/api/operations.ts';
import { type LivedInWorkspace, openLivedInWorkspace } from './lived-in-workspace.ts';

const route = (operation: OperationName): HttpRoute =>
  HTTP_ROUTES.find((one) => one.operation === operation) as HttpRoute;
const none = { params: {}, query: {} };

describe('a request becomes the arguments of its operation:', () => {
  test.each<[OperationName, object, readonly unknown[]]>([
    ['runs.show', { params: { run: 'r1' } }, ['r1']],
    ['runs.page', {}, [{ limit: 100 }]],
    [
      'runs.page',
      { query: { limit: '5', status: ['failed', 'waiting'], rootsOnly: 'true', since: '7' } },
      [{ limit: 5, status: ['failed', 'waiting'], rootsOnly: true, since: 7 }],
    ],
    ['runs.page', { query: { status: 'failed' } }, [{ limit: 100, status: ['failed'] }]],
    ['runs.pause', { params: { run: 'r1' } }, ['r1', 'web']],
    ['runs.fork', { params: { run: 'r1' }, body: { step: 3 } }, ['r1', 3, {}, 0]],
    [
      'approvals.approve',
      { params: { id: 'a1' }, body: { remember: 'exact' } },
      [{ id: 'a1', by: 'web', remember: 'exact' }, 0],
    ],
    ['approvals.deny', { params: { id: 'a1' }, body: {} }, ['a1', 'web']],
    ['approvals.deny', { params: { id: 'a1' }, body: { reason: 'no' } }, ['a1', 'web', 'no']],
    ['graphs.render', { query: { run: 'r1' } }, [undefined, { format: 'svg', run: 'r1' }]],
    ['graphs.validate', { params: { graph: 'g' } }, ['g']],
    ['doctor', {}, [{ models: false }]],
    ['policy.check', { body: {} }, []],
    [
      'policy.check',
      { body: { file: 'POLICY.md', text: '', owner: 'user' } },
      [{ file: 'POLICY.md', text: '', owner: 'user' }],
    ],
    [
      'context.getNode',
      { query: { node: 'a', types: 'note', maxFrames: '2' } },
      [{ node: 'a', view: { types: ['note'], maxFrames: 2 }, agent: 'user' }],
    ],
    ['do', { body: { goal: 'go' } }, [{ goal: 'go', simulate: false, budgets: {}, patienceMs: 0 }]],
  ])('%s with %j', async (operation, request, expected) => {
    const input = await httpInput(route(operation), { ...none, ...request });
    // A list may have holes for arguments that are left out.
    expect([...input]).toEqual(expected);
  });
});

describe('a request that does not fit is refused, and the field is named:', () => {
  test.each<[OperationName, object, string, RegExp]>([
    ['do', {}, 'goal', /string/],
    ['do', { body: { goal: 7 } }, 'goal', /string/],
    ['do', { body: [] }, 'body', /JSON object/],
    ['do', { body: 'go' }, 'body', /JSON object/],
    ['do', { body: { goal: 'x', gaol: 'x' } }, 'gaol', /unknown field. Did you mean "goal"/],
    ['do', { body: { goal: 'x', budgets: { steps: 'many' } } }, 'budgets.steps', /number/],
    ['do', { query: { goal: 'x' } }, 'goal', /belongs into the JSON body/],
    ['runs.page', { query: { limit: 'ten' } }, 'limit', /expected a number, got "ten"/],
    ['runs.page', { query: { limit: '' } }, 'limit', /expected a number/],
    ['runs.page', { query: { limit: '0' } }, 'limit', /1/],
    ['runs.page', { query: { limit: '1001' } }, 'limit', /1000/],
    ['runs.page', { query: { limit: '1.5' } }, 'limit', /int/],
    ['runs.page', { query: { limit: ['1', '2'] } }, 'limit', /more than once/],
    ['runs.page', { query: { rootsOnly: 'yes' } }, 'rootsOnly', /true or false/],
    ['runs.page', { query: { status: 'lost' } }, 'status.0', /Invalid option/],
    ['runs.page', { body: {} }, 'body', /takes no body/],
    ['runs.show', { params: { run: 'r1' }, query: { full: 'true' } }, 'full', /unknown field/],
    ['runs.pause', { params: { run: 'r1' }, body: { run: 'r2' } }, 'run', /belongs into the path/],
    ['approvals.approve', { params: { id: 'a1' }, body: { remember: 'all' } }, 'remember', /Invalid option/],
    [
      'models.add',
      { body: { provider: 'x', model: 'y', key: { env: 'A', more: 1 } } },
      'key.more',
      /unknown field/,
    ],
    ['mcp.add', { body: { name: 'x', launch: {} } }, 'launch', /Invalid/],
  ])('%s with %j: %s', async (operation, request, field, message) => {
    await expect(httpInput(route(operation), { ...none, ...request })).rejects.toMatchObject({
      code: 'http.bad_request',
      message: expect.stringMatching(message),
      data: { operation, field },
    });
  });

  it('deep JSON', async () => {
    let deep: unknown = {};
    for (let level = 0; level < 2_000; level++) deep = { deep };
    await expect(
      httpInput(route('graphs.check'), { ...none, body: { definition: deep } }),
    ).rejects.toMatchObject({
      code: 'http.bad_request',
    });
  });
});

describe('garbage', () => {
  let place: LivedInWorkspace;
  beforeAll(async () => {
    place = await openLivedInWorkspace();
  }, 60_000);
  afterAll(() => place.close());

  const names = [
    ...new Set(
      HTTP_ROUTES.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)),
    ),
  ];
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      '',
      '..',
      '/',
      '%',
      '\u0000',
      '__proto__',
      'last',
      '@1',
      '../../etc/passwd',
      '-1',
      '1e309',
      'NaN',
      'hello',
      'plans',
    ),
  );
  const request = fc.record({
    params: fc.record(Object.fromEntries(names.map((name) => [name, texts]))),
    query: fc.dictionary(
      fc.constantFrom(
        'limit',
        'cursor',
        'status',
        'text',
        'query',
        'node',
        'goal',
        'run',
        'runs',
        'mode',
        'from',
        'to',
        'since',
        'x',
      ),
      fc.oneof(texts, fc.array(texts, { maxLength: 3 })),
      { maxKeys: 4 },
    ),
    body: fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 3 })),
  });
  const inPath = (one: HttpRoute, params: Record<string, string>) =>
    Object.fromEntries(
      [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name as string, params[name as string] ?? '']),
    );

  it('is refused or understood, never an unexpected error', async () => {
    const one = fc.record({ route: fc.constantFrom(...HTTP_ROUTES), request });
    await fc.assert(
      fc.asyncProperty(one, async ({ route: used, request: { params, query, body } }) => {
        try {
          await httpInput(used, { params: inPath(used, params), query, body });
        } catch (error) {
          expect(isOkaError(error, 'http.bad_request')).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never makes a route that reads answer 500', async () => {
    const reads = HTTP_ROUTES.filter(
      ({ method, operation }) =>
        method === 'GET' && operation !== 'doctor' && operation !== 'models.providers',
    );
    const one = fc.record({ route: fc.constantFrom(...reads), request });
    await fc.assert(
      fc.asyncProperty(one, async ({ route: used, request: { params, query } }) => {
        try {
          const input = await httpInput(used, { params: inPath(used, params), query });
          await methodOf(place.api, used.operation)(...input);
        } catch (error) {
          const { status, detail } = toProblem(error);
          expect([used.operation, detail, status]).toEqual([
            used.operation,
            detail,
            expect.toSatisfy((code: number) => code < 500),
          ]);
        }
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});
