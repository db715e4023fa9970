// Owns: processes on hosts, their logs, their end. Does not own: which processes make up a deployment (`topology.mjs`).

import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openNetwork } from './network.mjs';

const READY_WITHIN_MS = 60_000;
const STOPS_WITHIN_MS = 20_000;
const POLL_MS = 50;
const LOG_LINES_SHOWN = 15;
const SETPRIV = '/usr/bin/setpriv';

/** Hosts and the processes on them. Everything ends with the process that opened it, however that ends. */
export class Hosts {
  network;
  #folder;
  #hosts = new Map();
  #processes = new Map();
  #onExit = () => this.#endNow();

  /** `folder` gets `logs/<process>.log`; `network` is `auto`, `namespaces` or `loopback`. */
  constructor({ folder, network = 'auto' }) {
    this.#folder = folder;
    mkdirSync(join(folder, 'logs'), { recursive: true });
    this.network = openNetwork(network);
    process.on('exit', this.#onExit);
  }

  /** The address of each host. */
  get addresses() {
    return Object.fromEntries([...this.#hosts].map(([name, { address }]) => [name, address]));
  }

  /** Adds a host and answers with its address. */
  addHost(name) {
    if (this.#hosts.has(name)) throw new Error(`There is already a host ${name}`);
    const host = this.network.addHost(name);
    this.#hosts.set(name, host);
    return host.address;
  }

  /**
   * Starts a process on a host and waits until `ready`, which gets what it has logged so far, no longer throws. `account` is the user id to run as, `endWith` the
   * signal that stops it in good order.
   */
  async start(name, options) {
    const { host, command, args = [], env = {}, cwd = this.#folder, account, endWith = 'SIGTERM' } = options;
    if (this.#processes.get(name)?.running) throw new Error(`${name} runs already`);
    const { inside } = this.#hostNamed(host);
    const words = [...dieWithParent(), ...inside, ...asAccount(account), command, ...args];
    const log = openSync(this.logFile(name), 'a');
    const { size: before } = fstatSync(log);
    const child = spawn(words[0], words.slice(1), {
      cwd,
      env: { PATH: process.env.PATH, HOME: this.#folder, TMPDIR: this.#folder, ...env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const said = () => readFileSync(this.logFile(name)).subarray(before).toString();
    const started = { options, child, endWith, said, running: true, ended: undefined };
    started.ended = new Promise((resolve) => {
      const end = (exitCode) => {
        started.running = false;
        resolve(exitCode);
      };
      child.once('exit', end);
      child.once('error', () => end(null));
    });
    this.#processes.set(name, started);
    if (options.ready !== undefined) await this.#whenReady(name, started);
  }

  /** Starts a process again that has ended, with the same command on the same host. */
  async restart(name) {
    await this.start(name, this.#processNamed(name).options);
  }

  /** Sends a signal to a process. Resolves when it has ended, or at once if the signal does not end processes. */
  async kill(name, signal = 'SIGKILL') {
    const { child, ended } = this.#processNamed(name);
    child.kill(signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await ended;
  }

  /** Resolves when a process has ended, with its exit code; null after a signal. */
  ended(name) {
    return this.#processNamed(name).ended;
  }

  /** Drops all traffic between a host and the rest. */
  cut(host) {
    this.network.cut(this.#hostNamed(host).name);
  }

  heal(host) {
    this.network.heal(this.#hostNamed(host).name);
  }

  logFile(name) {
    return join(this.#folder, 'logs', `${name}.log`);
  }

  /** Stops the processes, the last one first, and removes the network. */
  async stop() {
    for (const { child, ended, endWith } of [...this.#processes.values()].reverse()) {
      child.kill('SIGCONT');
      child.kill(endWith);
      const given = new AbortController();
      const late = sleep(STOPS_WITHIN_MS, undefined, { signal: given.signal }).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      );
      await ended;
      given.abort();
      await late;
    }
    this.network.close();
    process.off('exit', this.#onExit);
  }

  #endNow() {
    for (const { child, running } of this.#processes.values()) if (running) child.kill('SIGKILL');
    this.network.close();
  }

  #hostNamed(name) {
    const host = this.#hosts.get(name);
    if (host === undefined)
      throw new Error(`There is no host ${name}: ${[...this.#hosts.keys()].join(', ')}`);
    return host;
  }

  #processNamed(name) {
    const found = this.#processes.get(name);
    if (found === undefined)
      throw new Error(`There is no process ${name}: ${[...this.#processes.keys()].join(', ')}`);
    return found;
  }

  async #whenReady(name, started) {
    const giveUpAt = Date.now() + READY_WITHIN_MS;
    for (;;) {
      try {
        if (started.running) return await started.options.ready(started.said());
      } catch (error) {
        if (started.running && Date.now() < giveUpAt) {
          await sleep(POLL_MS);
          continue;
        }
        if (started.running)
          throw new Error(`${name} is not ready: ${error.message}\n${this.#lastLines(name)}`);
      }
      throw new Error(`${name} ended before it was ready\n${this.#lastLines(name)}`);
    }
  }

  #lastLines(name) {
    return readFileSync(this.logFile(name), 'utf8').trim().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
  }
}

/** The kernel ends a process whose parent is gone, so that a script that was killed leaves none behind. */
function dieWithParent() {
  return existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', '--'] : [];
}

/** The kernel forgets that wish when the account changes, so it is repeated. */
function asAccount(account) {
  if (account === undefined || process.getuid?.() !== 0) return [];
  const ids = [`--reuid=${account}`, `--regid=${account}`, '--clear-groups'];
  return [SETPRIV, ...ids, '--pdeathsig', 'KILL', '--'];
}

/** Answers when a server accepts a connection; for `ready`. */
export async function accepts(url, check = (response) => response.ok) {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  if (!check(response)) throw new Error(`${url} answered ${response.status}`);
  await response.arrayBuffer();
}
