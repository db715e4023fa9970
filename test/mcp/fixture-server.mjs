// A server of the protocol 2025-11-25 that is written by hand, so that it can misbehave. Its one argument is JSON:
//   protocol      what it answers to initialize
//   tools         what it lists; each may hold `does`: echo | environment | die | hang | child | picture | wide | endless |
//                 deep | chatter
//   later         what it lists after it was called once, announced with tools/list_changed
//   once          a file: while it is absent `die` ends the process and makes it, afterwards `die` answers
//   leaves        ends when it is asked what it does not know
//   silent        says nothing to what it does not know
//   endless       every page of its list has a next one
//   garbage       says nonsense between its answers
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const plan = JSON.parse(process.argv[2] ?? '{}');
const ANY = { type: 'object' };
let tools = plan.tools ?? [{ name: 'echo', does: 'echo' }];

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const note = (line) => plan.log && appendFileSync(plan.log, `${line}\n`);
const text = (words) => ({ content: [{ type: 'text', text: words }] });

note(`start ${process.pid}`);
process.stderr.write('fixture is ready\n');
if (plan.stubborn) {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1_000);
}

function listed({ does, ...tool }) {
  return { inputSchema: ANY, ...tool };
}

function call(id, { name, arguments: args }) {
  const tool = tools.find((one) => one.name === name);
  switch (tool?.does) {
    case 'echo':
      return say({ id, result: text(JSON.stringify(args)) });
    case 'environment':
      return say({ id, result: text(JSON.stringify({ env: process.env, cwd: process.cwd() })) });
    case 'die':
      if (plan.once !== undefined && existsSync(plan.once)) return say({ id, result: text('alive again') });
      if (plan.once !== undefined) writeFileSync(plan.once, '');
      process.stderr.write('something broke\n');
      return process.exit(3);
    case 'hang':
      return note(`hang ${id}`);
    case 'child': {
      const child = spawn('sleep', ['3600'], { stdio: 'ignore' });
      return say({ id, result: text(String(child.pid)) });
    }
    case 'wide':
      return say({ id, result: text('x'.repeat(args.bytes)) });
    case 'endless': {
      // A line without an end; the file gets a byte for each KiB that the other side took.
      const block = 'x'.repeat(65_536);
      const more = () =>
        process.stdout.write(block, () => {
          appendFileSync(plan.sent, '.'.repeat(block.length / 1_024));
          setImmediate(more);
        });
      return more();
    }
    case 'deep': {
      const deep = `${'{"a":'.repeat(args.depth)}1${'}'.repeat(args.depth)}`;
      const content = '"content":[{"type":"text","text":"deep"}]';
      return process.stdout.write(
        `{"jsonrpc":"2.0","id":${id},"result":{${content},"structuredContent":${deep}}}\n`,
      );
    }
    case 'chatter': {
      const progress = () =>
        say({ method: 'notifications/message', params: { level: 'info', data: 'wait' } });
      setInterval(progress, 1).unref();
      return progress();
    }
    case 'refuse':
      return say({ id, result: { ...text('it is closed today'), isError: true } });
    case 'ask':
      say({ id: 'from-server', method: args.method, params: {} });
      return waiting.set('from-server', (answer) => say({ id, result: text(JSON.stringify(answer)) }));
    case 'change':
      tools = plan.later;
      // Said before the answer, so that whoever has the answer has heard it.
      say({ method: 'notifications/tools/list_changed' });
      return say({ id, result: text('changed') });
    default:
      return say({ id, error: { code: -32602, message: `there is no tool ${name}` } });
  }
}

const waiting = new Map();

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (plan.garbage) process.stdout.write('not json\n{"half":\n\n');
  if (method === undefined) return waiting.get(id)?.(message.result ?? message.error);
  switch (method) {
    case 'initialize':
      note(`initialize ${params.protocolVersion}`);
      return say({
        id,
        result: {
          protocolVersion: plan.protocol ?? '2025-11-25',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'fixture', version: '1' },
        },
      });
    case 'tools/list':
      return say({
        id,
        result: {
          tools: plan.endless ? [listed({ name: `tool-${params?.cursor ?? 0}` })] : tools.map(listed),
          ...(plan.endless ? { nextCursor: String(Number(params?.cursor ?? 0) + 1) } : {}),
        },
      });
    case 'tools/call':
      return call(id, params);
    case 'notifications/cancelled':
      return note(`cancelled ${params.requestId}`);
    default:
      if (id === undefined || plan.silent) return;
      if (plan.leaves) process.exit(1);
      return say({ id, error: { code: -32601, message: `${method} is not known` } });
  }
});
