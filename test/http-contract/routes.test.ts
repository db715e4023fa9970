import { describe, expect, it, test } from 'vitest';
import { httpFields } from '../../src/api/http-fields.ts';
import { HTTP_ROUTES, WITHOUT_ROUTE } from '../../src/api/http-routes.ts';
import { isServed, OPERATIONS, type OperationName } from '../../src/api/operations.ts';

const NAMES = Object.keys(OPERATIONS) as OperationName[];

/** Operations that change what the person allows or has set up. Only a browser session reaches them. */
const PERSON_ONLY: readonly OperationName[] = [
  ...(['approvals.approve', 'approvals.deny', 'runs.correct'] as const),
  ...(['graphs.save', 'graphs.patch', 'graphs.build', 'graphs.fromRun'] as const),
  ...(['graphs.schedules.add', 'graphs.schedules.enable'] as const),
  ...(['graphs.schedules.disable', 'graphs.schedules.delete'] as const),
  ...(['models.add', 'models.setPrice', 'models.offered', 'models.test'] as const),
  ...(['models.setDefault', 'models.remove'] as const),
  ...([
    'memory.confirmFact',
    'memory.eraseFact',
    'memory.rejectFact',
    'memory.undoFact',
    'backup.create',
    'backup.verify',
  ] as const),
  ...(['trust.approve', 'trust.revoke', 'grants.revoke', 'mcp.add', 'mcp.remove', 'mcp.test'] as const),
  ...(['agents.create', 'ledger.gc'] as const),
];

describe('the routes', () => {
  it('cover every operation, or say why one has none', () => {
    const routed = HTTP_ROUTES.map(({ operation }) => operation);
    expect([...routed, ...WITHOUT_ROUTE.keys()].sort()).toEqual([...NAMES].sort());
    for (const why of WITHOUT_ROUTE.values()) expect(why).toMatch(/\.$/);
  });

  it('that only a person may call are the ones in this list', () => {
    const found = HTTP_ROUTES.filter(({ access }) => access === 'browser').map(({ operation }) => operation);
    expect(found.sort()).toEqual([...PERSON_ONLY].sort());
  });

  it('that a token may call read, or do what the socket of the daemon serves too', () => {
    for (const { operation, access, method } of HTTP_ROUTES) {
      if (access === 'browser' || method === 'GET') continue;
      // What the policy would decide is read too, but about a call that does not fit into a query.
      const reads = operation === 'policy.check' || operation === 'policy.explain';
      expect([operation, reads || isServed(operation)]).toEqual([operation, true]);
    }
  });

  it('are distinct: no request matches two of them', () => {
    const isName = (part: string | undefined): boolean => part?.startsWith('{') ?? false;
    const shapes = HTTP_ROUTES.map(({ method, path }) => ({ method, parts: path.split('/') }));
    for (const [i, one] of shapes.entries())
      for (const other of shapes.slice(i + 1)) {
        if (one.method !== other.method || one.parts.length !== other.parts.length) continue;
        const matches = one.parts.every(
          (part, at) => part === other.parts[at] || isName(part) || isName(other.parts[at]),
        );
        expect([one, other, matches]).toEqual([one, other, false]);
      }
  });

  test.each(HTTP_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s has the names of arguments in its path, each name once, and defaults of fields that exist',
    async (_, route) => {
      const fields = await httpFields(route);
      const names = fields.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const [, name] of route.path.matchAll(/\{(\w+)\}/g)) expect(names).toContain(name);
      expect(route.summary).toMatch(/^[A-Z][^.]*$/);
      expect(route.path).toMatch(/^\/v1\//);
    },
  );

  it('check their own defaults', async () => {
    for (const route of HTTP_ROUTES)
      for (const { name, schema, default: fallback } of await httpFields(route))
        if (fallback !== undefined)
          expect([route.operation, name, schema.safeParse(fallback).success]).toEqual([
            route.operation,
            name,
            true,
          ]);
  });
});

it('a route is a GET only if its operation changes nothing', () => {
  for (const { operation, method } of HTTP_ROUTES)
    if (method === 'GET') expect(OPERATIONS[operation].reads, operation).toBe(true);
});
