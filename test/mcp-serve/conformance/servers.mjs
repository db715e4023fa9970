import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

/** A graph for the workspace, so that there is one to run, to read and to be prompted with. */
const GREETING = {
  id: 'greeting',
  name: 'Greeting',
  version: 1,
  description: 'Reads a file that greets.',
  start: 'start',
  execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 30, max_retries: 0 },
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  nodes: [
    { node_id: 'start', type: 'start', next: 'read' },
    { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: '{{input.path}}' }, next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
};

/** The server with the suite's fixtures, on Oka's transports. */
export async function startFixtures(root) {
  const program = join(root, 'node_modules', '.cache', 'mcp-conformance-server.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/mcp-serve/conformance/serve.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: "import { createRequire as okaCreateRequire } from 'node:module'; const require = okaCreateRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] });
  const { url, token } = JSON.parse(await firstLine(child));
  return { url, token, stop: () => stop(child) };
}

/** The built `oka mcp serve --http`, on a workspace with a file and a graph. */
export async function startOka(root) {
  const folder = mkdtempSync(join(tmpdir(), 'oka-mcp-'));
  const workspace = join(folder, 'workspace');
  mkdirSync(join(workspace, '.oka', 'graphs'), { recursive: true });
  writeFileSync(join(workspace, 'hello.txt'), 'Hello from a file.\n');
  writeFileSync(join(workspace, '.oka', 'graphs', 'greeting.json'), JSON.stringify(GREETING));
  const env = { PATH: process.env.PATH, HOME: folder, OKA_HOME: join(folder, 'home') };
  const program = [join(root, 'bin', 'oka.cjs'), '-C', workspace, '--json'];
  const start = (...args) =>
    spawn(process.execPath, [...program, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const made = start('init', '--trust');
  await new Promise((resolve) => made.on('close', resolve));
  const child = start('mcp', 'serve', '--http');
  const { data } = JSON.parse(await firstLine(child));
  const clean = () => rmSync(folder, { recursive: true, force: true });
  return {
    url: data.url,
    token: readFileSync(data.tokenFile, 'utf8').trim(),
    /** How a client starts a server of its own over stdin and stdout. */
    command: [process.execPath, join(root, 'bin', 'oka.cjs'), '-C', workspace, 'mcp', 'serve'],
    env: { OKA_HOME: env.OKA_HOME },
    stop: () => stop(child).then(clean),
  };
}

async function firstLine(child) {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the server ended before it said where it listens');
}

function stop(child) {
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end();
  child.kill('SIGTERM');
  return ended;
}
