// Makes a checkout ready to run: packages as locked, the `oka` command linked, the build current.
// Needs nothing but Node, because it runs before anything is installed. What is up to date is skipped without writing.

import { chmodSync, existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIsCurrent, installFingerprint, readStamp } from './fingerprint.mjs';
import { npmCommand } from './npm-command.mjs';
import { runLogged } from './run-logged.mjs';
import {
  buildFailure,
  installFailure,
  registryIsOut,
  SetupFailure,
  systemFailure,
} from './setup-failure.mjs';
import { takeSetupLock } from './setup-lock.mjs';
import { showProgress } from './show-progress.mjs';

const onWindows = process.platform === 'win32';
const checkout = fileURLToPath(new URL('..', import.meta.url));

const installFlags = [
  '--ignore-scripts',
  '--include=dev',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=http',
  '--fetch-retries=3',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

/** Sets the checkout up; true when it is ready, false after saying in one sentence why it is not. */
export async function setUpOrExplain(root = checkout, options = {}) {
  try {
    await setUpCheckout(root, options);
    return true;
  } catch (error) {
    const failure = error instanceof SetupFailure ? error : systemFailure(error);
    if (!failure) throw error;
    process.stderr.write(`${failure.message}\n`);
    process.exitCode = 1;
    return false;
  }
}

/** With `packages: 'keep'` npm installs them itself, and nothing is built if it leaves out those that the build needs. */
async function setUpCheckout(root, { packages = 'install' }) {
  const keepsPackages = packages === 'keep';
  if (keepsPackages && !existsSync(join(root, 'node_modules', 'esbuild'))) return;
  const hasPackages = () => keepsPackages || isInstalled(root);
  if (hasPackages() && isLinked(root) && buildIsCurrent(root)) return;
  const lock = await takeSetupLock(root);
  try {
    if (!hasPackages()) await showProgress('Installing packages', install(root, lock));
    if (!isLinked(root)) linkCommand(root);
    if (!buildIsCurrent(root)) await showProgress('Building', build(root, lock));
  } finally {
    lock.release();
  }
}

const installStamp = (root) => join(root, 'node_modules', '.oka-setup');
const isInstalled = (root) => readStamp(installStamp(root)) === installFingerprint(root);

async function install(root, lock) {
  const fingerprint = installFingerprint(root);
  const log = join('.setup', 'install.log');
  const npm = npmCommand();
  const result = await runLogged({
    ...npm,
    args: [...npm.args, 'ci', ...installFlags],
    root,
    log,
    lock,
    env: localInstallEnvironment(),
    isHopeless: registryIsOut,
  });
  if (result.exitCode !== 0) throw installFailure(result, log);
  writeFileSync(installStamp(root), fingerprint);
}

/** Without the settings of a global install, which npm passes on to the scripts that it runs. */
function localInstallEnvironment() {
  const ofGlobalInstall = /^npm_config_(global|prefix|local_prefix|global_prefix|location|omit|production)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofGlobalInstall.test(name)));
}

async function build(root, lock) {
  const log = join('.setup', 'build.log');
  const args = [join('scripts', 'build.mjs')];
  const result = await runLogged({ command: process.execPath, args, root, log, lock });
  if (result.exitCode !== 0) throw buildFailure(result, log);
}

const commandLink = (root) => join(root, 'node_modules', '.bin', onWindows ? 'oka.cmd' : 'oka');
const linkTarget = join('..', '..', 'bin', 'oka.cjs');

function isLinked(root) {
  if (onWindows) return existsSync(commandLink(root));
  try {
    return readlinkSync(commandLink(root)) === linkTarget;
  } catch {
    return false;
  }
}

/** Lets `npx oka` find the checkout's own command without asking the registry. */
function linkCommand(root) {
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true });
  rmSync(commandLink(root), { force: true });
  if (onWindows) writeFileSync(commandLink(root), `@node "%~dp0\\${linkTarget}" %*\r\n`);
  else {
    symlinkSync(linkTarget, commandLink(root));
    chmodSync(join(root, 'bin', 'oka.cjs'), 0o755);
  }
}
