// A program that embeds Oka: calls a tool in a workspace, and has its span collected.
import { Oka } from 'oka/runtime';
import { openTelemetry } from 'oka/telemetry';

const [workspace, home, url, openTelemetryApi] = process.argv.slice(2);
// The program's own copy of the package; Oka has another.
const { trace } = await import(openTelemetryApi);
const spans = [];
trace.setGlobalTracerProvider({
  getTracer: () => ({
    startActiveSpan(name, _options, work) {
      spans.push(name);
      return work({ end() {}, recordException() {}, setStatus() {} });
    },
  }),
});
const oka = new Oka({ workspace, home });
const { run, output } = await openTelemetry().span('embedding', {}, () =>
  oka.tools.call({ tool: 'http.fetch', input: { url }, simulate: false, patienceMs: 0 }),
);
await oka.close();
process.stdout.write(JSON.stringify({ run, output, spans }));
