// Runs Oka as its container does: as user 1000 without rights, on a read-only root file system on which only the workspace, the
// user's folder and /tmp can be written. bubblewrap stands in for the engine.
import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../checkout.ts';
import { tempFolder } from '../support/temp-folder.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-user', 'true']).status === 0;
const why = works ? '' : ' (left out, because bubblewrap does not work here)';

/** What the image has in /opt/oka. */
const PACKAGE = ['bin', 'data', 'dist', 'gallery', 'package.json', 'node_modules'];

function inContainer(folder: string, script: string) {
  for (const name of ['workspace', 'oka-home']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n');
  const shown = PACKAGE.flatMap((name) => ['--ro-bind', realpathSync(join(root, name)), `/opt/oka/${name}`]);
  const args = [
    ...['--unshare-user', '--unshare-pid', '--unshare-net', '--uid', '1000', '--gid', '1000'],
    ...['--cap-drop', 'ALL', '--die-with-parent'],
    ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/lib', '/lib'],
    ...['--ro-bind-try', '/lib64', '/lib64', '--ro-bind', '/etc', '/etc'],
    ...['--ro-bind', join(folder, 'passwd'), '/etc/passwd', '--dir', '/home/node'],
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...shown,
    ...['--ro-bind', join(root, 'deploy', 'container'), '/opt/oka/container'],
    ...[
      '--ro-bind',
      process.execPath,
      '/commands/node',
      '--symlink',
      '/opt/oka/container/oka.sh',
      '/commands/oka',
    ],
    ...['--bind', join(folder, 'workspace'), '/workspace', '--bind', join(folder, 'oka-home'), '/oka-home'],
    ...['--remount-ro', '/', '--chdir', '/workspace', '--clearenv'],
    ...['--setenv', 'PATH', '/commands:/usr/bin:/bin', '--setenv', 'HOME', '/home/node'],
    ...['--setenv', 'OKA_HOME', '/oka-home', '--setenv', 'OKA_WEB_LISTEN', '0.0.0.0:4321'],
    ...['sh', '-c', script],
  ];
  return spawnSync('bwrap', args, { encoding: 'utf8' });
}

describe.skipIf(!works)(`a container with a read-only root file system${why}`, () => {
  test('daemon, web app, commands and health check work as user 1000, and nothing else can be written', () => {
    const script = `
      touch /file /opt/oka/file /usr/file 2>/dev/null && exit 20
      node /opt/oka/container/health.mjs daemon 2>/dev/null && exit 21
      oka init --trust >/dev/null || exit 22
      oka up --foreground >/tmp/daemon.log 2>&1 &
      daemon=$!
      until node /opt/oka/container/health.mjs daemon 2>/dev/null; do
        kill -0 $daemon || { cat /tmp/daemon.log; exit 23; }
      done
      id -u
      node -e "fetch('http://127.0.0.1:4321/v1/status').then(({ status }) => console.log(status))"
      oka do 'write a brief of this folder to BRIEF.md' >/dev/null 2>&1 || exit 24
      test -s BRIEF.md || exit 25
      kill -TERM $daemon
      wait $daemon
      echo "ended with $?"
      grep -o 'the daemon stops' /tmp/daemon.log
    `;
    const { status, stdout, stderr } = inContainer(tempFolder('oka-container-'), script);
    expect({ status, stdout, stderr: status === 0 ? '' : stderr }).toEqual({
      status: 0,
      stdout: '1000\n401\nended with 143\nthe daemon stops\n',
      stderr: '',
    });
  });
});
