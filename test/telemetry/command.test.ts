import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { spanIdOf, traceIdOf } from '../../src/kernel/index.ts';
import { Workspace } from '../cli/oka-process.ts';
import { Collector } from './collector.ts';
import { runBrief } from './run-brief.ts';

test('a command of the built command line sends its run before it ends', async () => {
  const collector = await Collector.open();
  const { exitCode, stdout, stderr, loadsSdk } = await runBrief(
    Workspace.trusted(),
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=garden',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_SERVICE_NAME: 'garden',
    },
    '--json',
  );
  expect({ exitCode, stderr, loadsSdk }).toEqual({ exitCode: 0, stderr: '', loadsSdk: true });
  const { run } = JSON.parse(stdout).data as RunAnswer;
  expect(collector.span('invoke_agent agent')).toMatchObject({
    traceId: traceIdOf(run.id),
    spanId: spanIdOf(run.id),
  });
  const tools = collector.spans.filter(({ name }) => name.startsWith('execute_tool '));
  expect(tools.length).toBeGreaterThan(0);
  for (const { parent } of tools) expect(parent).toBe(spanIdOf(run.id));
  expect(collector.metric('oka.runs.ended')).toMatchObject([{ value: 1 }]);
  expect(collector.resource).toMatchObject({
    'service.name': 'garden',
    'deployment.environment.name': 'test',
  });
  expect(collector.headers[0]).toMatchObject({ 'x-team': 'garden' });
});
