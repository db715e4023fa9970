// The commands of docs/guides/cluster.md, word for word, with the worker killed and started again after each of them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../checkout.ts';
import { PROGRAM } from '../cli/oka-process.ts';
import { missingRestate, TestRestate } from '../support/restate.ts';
import { trustFolder } from '../support/trust-folder.ts';

const GUIDE = readFileSync(join(root, 'docs', 'guides', 'cluster.md'), 'utf8');
const BLOCK = /```sh skip: needs a Restate server\n([\s\S]*?)```/.exec(GUIDE)?.[1] ?? '';
const LINES = BLOCK.trim().split('\n');
const missing = missingRestate();

describe.skipIf(missing !== undefined)('docs/guides/cluster.md', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'oka-guide-')));
  const [workspace, home, bin] = ['shop', 'home', 'bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const log = join(workspace, 'worker.log');
  let restate: TestRestate;
  let worker: ChildProcess | undefined;

  beforeAll(async () => {
    for (const one of [join(workspace, '.oka'), home, bin]) mkdirSync(one, { recursive: true });
    writeFileSync(join(workspace, 'notes.txt'), 'TODO: call Bob\n');
    symlinkSync(PROGRAM, join(bin, 'oka'));
    trustFolder(home, workspace);
    restate = await TestRestate.start();
  });

  afterAll(async () => {
    worker?.kill('SIGKILL');
    await restate?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = (line: string): ChildProcess =>
    spawn('sh', ['-c', line], {
      cwd: workspace,
      env: {
        PATH: [bin, process.env['PATH']].join(delimiter),
        HOME: home,
        OKA_HOME: home,
        OKA_RESTATE_INGRESS: restate.ingress,
        OKA_RESTATE_ADMIN: restate.admin,
      },
    });

  async function run(line: string): Promise<string> {
    const started = start(line);
    let said = '';
    for (const stream of [started.stdout, started.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    const [code] = (await once(started, 'close')) as [number];
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${said}`);
    return said;
  }

  /** Runs the line of the guide that starts the worker, without the sign that lets a terminal continue. */
  async function startWorker(): Promise<void> {
    rmSync(log, { force: true });
    const line = LINES.find((one) => one.startsWith('oka worker')) as string;
    worker = start(`exec ${line.replace(/ &$/, '')}`);
    while (!existsSync(log) || !readFileSync(log, 'utf8').includes('Worker listens')) {
      if (worker.exitCode !== null) throw new Error(readFileSync(log, 'utf8'));
      await sleep(50);
    }
  }

  it('works as it is written when the worker is killed at each step', async () => {
    const said = new Map<number, string>();
    for (const [i, line] of LINES.entries()) {
      if (line.endsWith('&')) await startWorker();
      else said.set(i, await run(line));
      if (worker === undefined) continue;
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      await startWorker();
    }
    const [list, status] = [said.get(LINES.length - 2), said.get(LINES.length - 1)];
    expect(list?.match(/completed|done/g) ?? []).toHaveLength(1);
    expect(status).toMatch(/workers\s+1\s+1 alive/);
    expect(readFileSync(join(workspace, 'TODOS.md'), 'utf8')).toContain('call Bob');
  });
});
