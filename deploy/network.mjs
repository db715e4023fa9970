// The network of a topology: a namespace per host, joined by a bridge in a namespace of its own, so that nothing of it shows
// outside but one interface of the script. Where that is not possible, every host is 127.0.0.1.
//
//   script ── veth ──┐
//                    bridge (namespace …-switch) ── veth ── host a (namespace …-a)
//                                               └── veth ── host b (namespace …-b)

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const NAMESPACES = '/run/netns';
const OWNED = /^oka-(\d+)\.(\d+)-/;
const LOOPBACK = '127.0.0.1';
const SUBNETS = 256;

let opened = 0;

/**
 * Opens a network. `auto` takes namespaces where the machine allows them and loopback elsewhere, `namespaces` fails there,
 * and `loopback` does not try. What a script that was killed has left behind is removed first.
 */
export function openNetwork(kind = 'auto') {
  if (kind === 'loopback') return loopback('it was asked for');
  try {
    if (process.getuid?.() !== 0) throw new Error('only root may create network namespaces');
    removeAbandonedNamespaces();
    return new NamespaceNetwork();
  } catch (error) {
    if (kind === 'namespaces') throw new Error(`Cannot create network namespaces: ${error.message}`);
    return loopback(error.message);
  }
}

class NamespaceNetwork {
  kind = 'namespaces';
  #prefix = `oka-${process.pid}.${startedAt(process.pid)}-${++opened}`;
  #subnet = freeSubnet();
  #own = `oka${process.pid}n${opened}`;
  #ports = new Map();
  #closed = false;

  constructor() {
    const bridge = `${this.#prefix}-switch`;
    ip('netns', 'add', bridge);
    try {
      ip('-n', bridge, 'link', 'add', 'bridge', 'type', 'bridge');
      ip('-n', bridge, 'link', 'set', 'bridge', 'up');
      ip('link', 'add', this.#own, 'type', 'veth', 'peer', 'name', 'script', 'netns', bridge);
      ip('-n', bridge, 'link', 'set', 'script', 'master', 'bridge', 'up');
      ip('addr', 'add', `${this.#subnet}.1/24`, 'dev', this.#own);
      ip('link', 'set', this.#own, 'addrgenmode', 'none', 'up');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Adds a host. It reaches the other hosts and the script, and nothing else: it has no default route. */
  addHost(name) {
    const namespace = `${this.#prefix}-${name}`;
    const bridge = `${this.#prefix}-switch`;
    const number = this.#ports.size + 1;
    const port = `port${number}`;
    const address = `${this.#subnet}.${number + 1}`;
    ip('netns', 'add', namespace);
    ip('-n', bridge, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip('-n', bridge, 'link', 'set', port, 'master', 'bridge', 'up');
    ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
    ip('-n', namespace, 'link', 'set', 'eth0', 'addrgenmode', 'none', 'up');
    this.#ports.set(name, port);
    return { name, address, inside: ['ip', 'netns', 'exec', namespace] };
  }

  /** Drops all traffic between a host and the rest, in both directions. */
  cut(name) {
    this.#setPort(name, 'down');
  }

  heal(name) {
    this.#setPort(name, 'up');
  }

  #setPort(name, state) {
    const port = this.#ports.get(name);
    if (port === undefined)
      throw new Error(`There is no host ${name}: ${[...this.#ports.keys()].join(', ')}`);
    ip('-n', `${this.#prefix}-switch`, 'link', 'set', port, state);
  }

  /** Removes the namespaces, after ending what still runs in them. */
  close() {
    if (this.#closed) return;
    this.#closed = true;
    // The kernel removes the interfaces of a deleted namespace some time later; the script's own goes now.
    if (existsSync(`/sys/class/net/${this.#own}`)) ip('link', 'delete', this.#own);
    for (const name of namespaces()) if (name.startsWith(`${this.#prefix}-`)) removeNamespace(name);
  }
}

function loopback(reason) {
  const refuse = (what) => () => {
    throw new Error(`Cannot ${what} a host: every host is ${LOOPBACK}, because ${reason}`);
  };
  return {
    kind: 'loopback',
    reason,
    addHost: (name) => ({ name, address: LOOPBACK, inside: [] }),
    cut: refuse('cut'),
    heal: refuse('heal'),
    close: () => undefined,
  };
}

/** Removes namespaces of scripts that no longer run. A process id alone could belong to another program by now. */
function removeAbandonedNamespaces() {
  for (const name of namespaces()) {
    const [, pid, since] = OWNED.exec(name) ?? [];
    if (pid !== undefined && startedAt(pid) !== since) removeNamespace(name);
  }
}

function removeNamespace(name) {
  for (const pid of ip('netns', 'pids', name).split('\n').filter(Boolean).map(Number)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
  ip('netns', 'delete', name);
}

function namespaces() {
  try {
    return readdirSync(NAMESPACES);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** When a process started, in ticks since the machine did; undefined when there is none. */
function startedAt(pid) {
  try {
    // The name of the program, in parentheses, may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19];
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}

/** The first three numbers of a private subnet that no route of this machine leads into. */
function freeSubnet() {
  const routes = JSON.parse(ip('-json', '-4', 'route', 'show', 'table', 'all'));
  const taken = routes.map(({ dst }) => dst).filter((dst) => /^\d/.test(dst));
  for (let i = 0; i < SUBNETS; i++) {
    const subnet = `10.214.${(process.pid + opened + i) % SUBNETS}`;
    if (!taken.some((route) => overlaps(route, `${subnet}.0/24`))) return subnet;
  }
  throw new Error('every subnet of 10.214.0.0/16 is routed already');
}

function overlaps(one, other) {
  const [first, second] = [one, other].map((route) => {
    const [address, bits = '32'] = route.split('/');
    return {
      number: address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0),
      bits: Number(bits),
    };
  });
  const size = 2 ** (32 - Math.min(first.bits, second.bits));
  return Math.floor(first.number / size) === Math.floor(second.number / size);
}

function ip(...args) {
  try {
    return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (error.code === 'ENOENT') throw new Error('the program ip is missing (Debian: iproute2)');
    throw new Error(`ip ${args.join(' ')}: ${String(error.stderr || error.message).trim()}`);
  }
}
