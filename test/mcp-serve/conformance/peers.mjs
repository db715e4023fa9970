import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../../../scripts/npm-command.mjs';

const folder = fileURLToPath(new URL('../peers', import.meta.url));
const modules = join(folder, 'node_modules');
const OLDEST_NODE = [22, 19];

/** Other people's programs and the Node that runs them; installed first where they are not there yet. Throws if they cannot be. */
export function installPeers(say) {
  if (!isInstalled()) {
    say('installing the peers');
    const { command, args, ...options } = npmCommand();
    const done = spawnSync(command, [...args, 'ci'], { cwd: folder, encoding: 'utf8', ...options });
    if (done.status !== 0) throw new Error(whyNot(done));
  }
  const scope = join(modules, '@modelcontextprotocol');
  const conformance = join(scope, 'conformance');
  const inspector = join(scope, 'inspector');
  return {
    node: findNode(),
    suite: join(conformance, 'dist', 'index.js'),
    requirements: join(conformance, 'requirements'),
    inspector: join(inspector, 'clients', 'launcher', 'build', 'index.js'),
    versions: { suite: versionOf(conformance), inspector: versionOf(inspector) },
  };
}

/** What npm said first; the rest is about how to use it. */
function whyNot({ stderr, error }) {
  const lines = (stderr ?? '').split('\n').filter((line) => line.startsWith('npm error '));
  return error ? String(error) : lines.slice(0, 3).join(' ').replaceAll('npm error ', '');
}

/** True when what stands there is what the lock file names. */
function isInstalled() {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).every(
    ([path, { version, optional }]) =>
      path === '' ||
      optional === true ||
      (existsSync(join(folder, path)) && versionOf(join(folder, path)) === version),
  );
}

function versionOf(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).version;
}

/** This Node if it is new enough, else the one that came with the peers. */
function findNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]))
    return process.execPath;
  try {
    const name = `node-${process.platform}-${process.arch}/package.json`;
    return join(createRequire(join(folder, 'package.json')).resolve(name), '..', 'bin', 'node');
  } catch {
    throw new Error(
      `there is no Node ${OLDEST_NODE.join('.')} for ${process.platform} ${process.arch} among them`,
    );
  }
}
