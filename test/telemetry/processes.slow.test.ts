// The built command line and its daemon.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { spanIdOf, traceIdOf } from '../../src/kernel/index.ts';
import { BRIEF, Workspace } from '../cli/oka-process.ts';
import { DaemonWeb } from '../http/daemon-kit.ts';
import { send } from '../http/web-kit.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { Collector } from './collector.ts';
import { parsePrometheus } from './parse-prometheus.ts';
import { runBrief } from './run-brief.ts';

test('a command without telemetry does not load the SDK', async () => {
  const workspace = Workspace.trusted();
  const off = await runBrief(workspace, {}, '--json');
  expect(off).toMatchObject({ exitCode: 0, stderr: '', loadsSdk: false });
  const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' };
  expect(await runBrief(workspace, disabled, '--json')).toMatchObject({ exitCode: 0, loadsSdk: false });
});

test.each([
  ['is down', (collector: Collector) => collector.close()],
  [
    'does not answer',
    (collector: Collector) => {
      collector.answer = () => undefined;
    },
  ],
])('a command completes with one warning when the collector %s', async (_what, spoil) => {
  const collector = await Collector.open();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  spoil(collector);
  const { exitCode, stderr } = await runBrief(Workspace.trusted(), env);
  expect(exitCode).toBe(0);
  expect(stderr.replaceAll(/\s+/g, ' ').match(/Telemetry could not be sent/g)).toHaveLength(1);
});

test('a daemon serves its metrics, sends them, and logs the ids of its traces', async () => {
  const collector = await Collector.open();
  const home = join(tempFolder(), 'home');
  const workspace = new Workspace({ home });
  const telemetry = { otlp: collector.url, prometheus: 'token', json_logs: true, interval_seconds: 1 };
  workspace.putAtHome('config.json', JSON.stringify({ telemetry }));
  const daemon = await DaemonWeb.start({ home, root: workspace.root });
  const { data } = await daemon.post<RunAnswer>('/v1/runs', { goal: BRIEF });
  const ended = { 'oka.run.kind': 'agent', 'oka.run.status': 'completed' };
  await collector.until(
    () =>
      collector.metric('oka.runs.ended', ended).length > 0 &&
      collector.spans.some(({ spanId }) => spanId === spanIdOf(data.run.id)),
  );
  const { status, headers, text } = await daemon.ask('/metrics');
  expect({ status, type: headers['content-type'] }).toEqual({
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
  });
  const value = (name: string) => parsePrometheus(text).find((one) => one.name === name)?.value;
  expect(value('oka_runs_ended_total')).toBe(1);
  expect(value('oka_runs_current')).toBe(1);
  expect(value('oka_ledger_head')).toBeGreaterThan(3);
  expect((await send(daemon.state.port, '/metrics')).status).toBe(401);

  const log = readFileSync(join(workspace.root, '.oka', 'run', 'daemon.log'), 'utf8');
  const lines = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  expect(lines).toContainEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    level: 'info',
    message: 'run ended',
    run: data.run.id,
    trace_id: traceIdOf(data.run.id),
    span_id: spanIdOf(data.run.id),
    fields: { kind: 'agent', status: 'completed' },
  });
  const { stdout } = await daemon.workspace.oka('logs', '--run', data.run.id);
  expect(stdout).toContain('run ended');
  expect((await daemon.workspace.answer('down')).exitCode).toBe(0);
});
