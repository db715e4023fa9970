import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Meter } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { observeProcess, observeWorkspace } from '../../src/adapters/telemetry-export/gauges.ts';
import { Instruments } from '../../src/adapters/telemetry-export/instruments.ts';
import { root } from '../checkout.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly title: string;
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

const dashboard = JSON.parse(readFileSync(join(root, 'deploy', 'grafana', 'oka.json'), 'utf8')) as Dashboard;

/** The names of all metrics, as Prometheus has them. */
function exportedNames(): ReadonlySet<string> {
  const names: string[] = [];
  const add =
    (...endings: readonly string[]) =>
    (name: string): object => {
      names.push(...endings.map((ending) => `${name.replaceAll('.', '_')}${ending}`));
      return {};
    };
  const meter = {
    createCounter: add('_total'),
    createHistogram: add('_bucket', '_sum', '_count'),
    createObservableGauge: add(''),
    addBatchObservableCallback: () => undefined,
  } as unknown as Meter;
  new Instruments(meter);
  observeProcess(meter)();
  observeWorkspace(meter, async () => ({ runs: {}, approvals: 0, head: 0 }));
  return new Set(names);
}

/** The metrics that an expression reads, without labels and functions. */
function metricsIn(expression: string): readonly string[] {
  const bare = expression.replaceAll(/\{[^}]*\}/g, ' ').replaceAll(/\bby \([^)]*\)/g, ' ');
  return bare.match(/\b(?:oka|gen_ai|process|nodejs)_[a-z0-9_]+/g) ?? [];
}

test('every metric of the Grafana dashboard is one that a daemon exports', () => {
  const exported = exportedNames();
  const expressions = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.flatMap(({ definition = [] }) => definition),
  ];
  expect(expressions.length).toBeGreaterThan(20);
  for (const expression of expressions) {
    const used = metricsIn(expression);
    expect(used.length, expression).toBeGreaterThan(0);
    for (const name of used) expect(exported, expression).toContain(name);
  }
});

test('every metric is on the Grafana dashboard', () => {
  const shown = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => metricsIn(expr)),
  );
  const base = (name: string): string => name.replace(/_(total|bucket|sum|count)$/, '');
  expect(new Set(shown.map(base))).toEqual(new Set([...exportedNames()].map(base)));
});

test('the Grafana dashboard has what Grafana needs to import it', () => {
  expect(dashboard).toMatchObject({ title: 'Oka', uid: 'oka', schemaVersion: 39 });
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { type, targets } of dashboard.panels)
    if (type !== 'row') expect(targets?.length).toBeGreaterThan(0);
});
