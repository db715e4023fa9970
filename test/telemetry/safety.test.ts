import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { metrics, trace } from '@opentelemetry/api';
import { expect, onTestFinished, test } from 'vitest';
import { activeTelemetry } from '../../src/config/index.ts';
import { Collector } from './collector.ts';
import { openOka } from './telemetry-kit.ts';

const SCRIPTED = { actor: { provider: 'scripted', script: 'script.json' } };
const FILES = { 'script.json': JSON.stringify({ turns: [{ text: 'Tomatoes like sun.' }] }) };
const GOAL = 'what do tomatoes like?';

test('nothing is sent and no SDK is opened when telemetry is off', async () => {
  const { oka, do: pursue } = openOka({ files: FILES, config: { models: SCRIPTED } });
  await pursue(GOAL);
  expect(await oka.serveTelemetry({ isDaemon: true })).not.toHaveProperty('metrics');
  expect(activeTelemetry(undefined, {})).toBeUndefined();
  const off = { traces: false, metrics: false, intervalMs: 1, jsonLogs: false, otlp: 'http://127.0.0.1:1' };
  expect(activeTelemetry(off, {})).toBeUndefined();
});

test('a project cannot configure where telemetry is sent', async () => {
  const collector = await Collector.open();
  const { do: pursue } = openOka({
    files: FILES,
    config: { models: SCRIPTED },
    projectConfig: { telemetry: { otlp: collector.url } },
  });
  await expect(pursue(GOAL)).rejects.toMatchObject({
    code: 'config.invalid',
    message: expect.stringContaining('telemetry'),
  });
  expect(collector.bodies).toEqual([]);
});

test('the variables of OpenTelemetry turn it on and off', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT };
  expect(activeTelemetry(undefined, endpoint)).toMatchObject({ sends: true, traces: true, metrics: true });
  expect(activeTelemetry(undefined, { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined();
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-team=garden' };
  expect(activeTelemetry(undefined, { ...endpoint, ...headers })?.secrets).toEqual(['Bearer abc', 'garden']);
});

test('secrets and texts of a run are in no byte that is sent', async () => {
  const collector = await Collector.open();
  const secret = 'correct-horse-battery-staple';
  const { oka, do: pursue } = openOka({
    files: {
      'script.json': JSON.stringify({
        turns: [
          {
            tool_calls: [{ tool: 'files.read', input: { path: `${secret}.md` } }],
            once: true,
          },
          { text: `I could not read ${secret}.md` },
        ],
      }),
    },
    config: { models: SCRIPTED, telemetry: { otlp: collector.url } },
  });
  const { run } = await pursue(`read the file ${secret}.md and tell me about tomatoes`);
  expect(run).toMatchObject({ status: 'completed' });
  await oka.close();
  const sent = collector.bodies.join('');
  expect(sent).toContain(run.id);
  for (const text of [secret, 'tomatoes', 'I could not read']) expect(sent).not.toContain(text);
});

test('headers are read from the vault and sent with each request', async () => {
  const collector = await Collector.open();
  const {
    oka,
    do: pursue,
    warnings,
  } = openOka({
    files: FILES,
    config: { models: SCRIPTED, telemetry: { otlp: collector.url, headers_secret: 'collector' } },
  });
  await oka.vault.unlock('a passphrase of the test');
  await oka.vault.add({
    name: 'collector',
    value: 'x-token=abc%20def',
    scopes: ['tool:telemetry'],
    by: 'tester',
  });
  await pursue(GOAL);
  await oka.close();
  expect(warnings).toEqual([]);
  expect(collector.headers.length).toBeGreaterThan(1);
  for (const headers of collector.headers) expect(headers['x-token']).toBe('abc def');
});

test('without its credential telemetry is off, with one warning, and the run completes', async () => {
  const collector = await Collector.open();
  const {
    oka,
    do: pursue,
    warnings,
  } = openOka({
    files: FILES,
    config: { models: SCRIPTED, telemetry: { otlp: collector.url, headers_secret: 'collector' } },
  });
  expect((await pursue(GOAL)).run).toMatchObject({ status: 'completed' });
  await oka.close();
  expect(warnings).toEqual([expect.stringMatching(/^Telemetry is off: .*collector/)]);
  expect(collector.bodies).toEqual([]);
});

/** Accepts connections and never answers. */
async function hangingServer(): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closedAddress(): Promise<string> {
  const collector = await Collector.open();
  const { url } = collector;
  collector.close();
  return url;
}

test('a warning does not contain the password of an address, and an invalid configuration can be repaired', async () => {
  const { host } = new URL(await closedAddress());
  const otlp = `http://ann:hunter2@${host}`;
  const { oka, home, do: pursue, warnings } = openOka({ files: FILES, config: { telemetry: { otlp: 'x' } } });
  await expect(oka.serveTelemetry({ isDaemon: true })).rejects.toMatchObject({ code: 'config.invalid' });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ models: SCRIPTED, telemetry: { otlp } }));
  expect((await pursue(GOAL)).run).toMatchObject({ status: 'completed' });
  await oka.close();
  expect(warnings).toEqual([expect.stringContaining(`could not be sent to http://${host}: `)]);
});

async function brokenCollector(): Promise<string> {
  const collector = await Collector.open();
  collector.answer = (response) => void response.writeHead(400).end('no');
  return collector.url;
}

test.each([
  ['is down', closedAddress],
  ['does not answer', hangingServer],
  ['refuses everything', brokenCollector],
])('a collector that %s costs one warning and nothing else', async (_what, open) => {
  const otlp = await open();
  const {
    oka,
    do: pursue,
    warnings,
  } = openOka({
    files: FILES,
    config: { models: SCRIPTED, telemetry: { otlp } },
  });
  const { run, output } = await pursue(GOAL);
  expect({ status: run.status, output }).toEqual({ status: 'completed', output: 'Tomatoes like sun.' });
  await oka.close();
  expect(warnings).toEqual([expect.stringContaining(`Telemetry could not be sent to ${otlp}: `)]);
});

test('nothing is registered for the whole process', async () => {
  const collector = await Collector.open();
  const { oka, do: pursue } = openOka({
    files: FILES,
    config: { models: SCRIPTED, telemetry: { otlp: collector.url } },
  });
  const before = [trace.getTracerProvider(), metrics.getMeterProvider()];
  await pursue(GOAL);
  expect(trace.getTracer('another program').startSpan('span').isRecording()).toBe(false);
  expect([trace.getTracerProvider(), metrics.getMeterProvider()]).toEqual(before);
  await oka.close();
});
