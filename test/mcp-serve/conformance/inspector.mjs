import { spawn } from 'node:child_process';

const CALLS = [
  { what: 'tools/list', args: ['--method', 'tools/list'], expect: '"files_read"' },
  {
    what: 'tools/call files_read',
    args: ['--method', 'tools/call', '--tool-name', 'files_read', '--tool-arg', 'path=hello.txt'],
    expect: 'Hello from a file.',
  },
  {
    what: 'tools/call graph_greeting',
    args: ['--method', 'tools/call', '--tool-name', 'graph_greeting', '--tool-arg', 'path=hello.txt'],
    expect: 'Hello from a file.',
  },
  { what: 'resources/list', args: ['--method', 'resources/list'], expect: 'oka://graph/greeting' },
  {
    what: 'resources/read',
    args: ['--method', 'resources/read', '--uri', 'oka://graph/greeting'],
    expect: 'Reads a file that greets.',
  },
  {
    what: 'resources/templates/list',
    args: ['--method', 'resources/templates/list'],
    expect: 'oka://run/{id}',
  },
  { what: 'prompts/list', args: ['--method', 'prompts/list'], expect: 'run_greeting' },
  {
    what: 'prompts/get',
    args: ['--method', 'prompts/get', '--prompt-name', 'run_greeting', '--prompt-args', 'path=hello.txt'],
    expect: 'graph_greeting',
  },
  {
    what: 'logging/setLevel',
    args: ['--method', 'logging/setLevel', '--log-level', 'debug'],
    expect: '{}',
  },
];

/** What the inspector's command line gets from `oka mcp serve`, over stdin and stdout and over HTTP. */
export async function tryInspector(peers, oka) {
  const [name, value] = Object.entries(oka.env)[0];
  const targets = {
    stdio: ['-e', `${name}=${value}`, ...oka.command],
    http: ['--transport', 'http', '--server-url', oka.url, '--header', `Authorization: Bearer ${oka.token}`],
  };
  const found = [];
  for (const [transport, target] of Object.entries(targets)) {
    for (const { what, args, expect } of CALLS) {
      const { exitCode, output } = await run(peers, [...target, ...args]);
      found.push({ what, transport, ok: exitCode === 0 && output.includes(expect), output });
    }
  }
  return found;
}

function run(peers, args) {
  const child = spawn(peers.node, [peers.inspector, '--cli', ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}
