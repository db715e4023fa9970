// A program in the sandbox must not reach the daemon: whoever does can approve what waits for a person.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findBubblewrap } from '../src/adapters/processes/bubblewrap.ts';
import { daemonSocket } from '../src/config/index.ts';
import { Oka } from '../src/runtime/index.ts';
import { tempFolder } from './support/temp-folder.ts';

const works = typeof findBubblewrap((process.env['PATH'] ?? '').split(':')) === 'object';

test.runIf(works)('a program in the sandbox cannot reach the daemon, wherever its socket is', async () => {
  // Not below the folders that the sandbox hides anyway.
  const runtime = mkdtempSync('/var/tmp/oka-s-');
  onTestFinished(() => rmSync(runtime, { recursive: true, force: true }));
  vi.stubEnv('XDG_RUNTIME_DIR', runtime);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [workspace, home] = [tempFolder(), tempFolder()];
  const { path } = daemonSocket({ workspace, home });
  mkdirSync(dirname(path), { mode: 0o700 });
  const daemon = createServer((socket) => socket.end('reached'));
  await new Promise<void>((resolve) => {
    daemon.listen(path, resolve);
  });
  onTestFinished(() => void daemon.close());
  writeFileSync(
    join(workspace, 'reach.mjs'),
    `import { connect } from 'node:net';
     connect(${JSON.stringify(path)}).on('data', (text) => console.log(String(text))).on('error', ({ code }) => console.log(code));`,
  );
  const oka = new Oka({ workspace, home });
  onTestFinished(() => oka.close());
  await oka.init({ trust: true });
  const done = await oka.tools.call({
    tool: 'process.run',
    input: { argv: ['node', 'reach.mjs'] },
    simulate: false,
    patienceMs: 0,
  });
  expect(done.output).toMatchObject({ sandbox: 'bubblewrap', stdout: 'ENOENT\n' });
});
