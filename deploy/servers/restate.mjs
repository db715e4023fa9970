// The Restate server for a topology. It comes from an npm package that is installed into a cache folder on first use: its
// licence (BSL 1.1) keeps it out of Oka's own dependencies.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../../scripts/npm-command.mjs';
import { accepts } from '../hosts.mjs';

export const RESTATE_VERSION = '1.7.12';
const FOLDER = fileURLToPath(
  new URL(`../../node_modules/.cache/oka-servers/restate-${RESTATE_VERSION}`, import.meta.url),
);
const PLATFORM_PACKAGE = `restate-server-${process.platform}-${process.arch}`;
const PROGRAM = join(FOLDER, 'node_modules', '@restatedev', PLATFORM_PACKAGE, 'bin', 'restate-server');

/** The program, when it is installed. */
export function findRestate() {
  return existsSync(PROGRAM) ? PROGRAM : undefined;
}

/** Installs the program unless it is there; nothing of the package is run. */
export async function installRestate() {
  if (existsSync(PROGRAM)) return PROGRAM;
  mkdirSync(FOLDER, { recursive: true });
  const { command, args, shell } = npmCommand();
  const quiet = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const wanted = `@restatedev/restate-server@${RESTATE_VERSION}`;
  const npm = spawn(command, [...args, 'install', '--prefix', FOLDER, ...quiet, wanted], {
    cwd: FOLDER,
    shell,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exitCode = await new Promise((resolve, reject) => npm.once('error', reject).once('close', resolve));
  if (!existsSync(PROGRAM)) throw new Error(`npm cannot install ${wanted} (exit code ${exitCode})`);
  return PROGRAM;
}

/**
 * The process of one node of a cluster. `node` is one of `nodes`, each with a name, an address and its ports; the first one
 * creates the cluster. With three nodes, data is on two of them, so that one may fail.
 */
export function restateNode({ program, folder, node, nodes }) {
  const { name, address, ports } = node;
  const peers = nodes.map((peer) => `http://${peer.address}:${peer.ports.node}`);
  return {
    command: program,
    args: ['--no-logo', '--listen-mode', 'tcp', '--node-name', name, '--base-dir', folder],
    env: {
      TMPDIR: folder,
      RESTATE_CLUSTER_NAME: 'oka',
      RESTATE_AUTO_PROVISION: String(node === nodes[0]),
      RESTATE_DEFAULT_REPLICATION: nodes.length >= 3 ? '2' : '1',
      RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(peers),
      RESTATE_BIND_IP: address,
      RESTATE_BIND_PORT: String(ports.node),
      RESTATE_ADVERTISED_ADDRESS: `http://${address}:${ports.node}`,
      RESTATE_INGRESS__BIND_PORT: String(ports.ingress),
      RESTATE_ADMIN__BIND_PORT: String(ports.admin),
      RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: '10s',
      RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: '5s',
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_LOG_FILTER: 'warn',
      RESTATE_LOG_DISABLE_ANSI_CODES: 'true',
    },
  };
}

/** Throws until a node serves requests. A node of a cluster does so only when most of the others run. */
export async function restateServes({ address, ports }) {
  await accepts(`http://${address}:${ports.admin}/health`);
  await accepts(`http://${address}:${ports.ingress}/restate/health`);
}
