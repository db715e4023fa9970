// What processes use, read from /proc: undefined where there is none.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const TICK_MS = 10;

function statusOf(pid, field) {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1] ?? 0) / 1_024;
}

/** The resident memory of a process in MB. */
export const memoryMb = (pid) => statusOf(pid, 'VmRSS');
/** The most that it ever was. */
export const peakMemoryMb = (pid) => statusOf(pid, 'VmHWM');

function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [own, ended] = [Number(fields[11]) + Number(fields[12]), Number(fields[13]) + Number(fields[14])];
    return { pid, parent: Number(fields[1]), cpuMs: (own + ended) * TICK_MS };
  } catch {
    return undefined; // It has just ended.
  }
}

/** A process and all processes below it. */
function treeOf(root) {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(name) ?? []) : []));
  const within = (pid) => [
    ...all.filter((one) => Number(one.pid) === pid),
    ...all.filter(({ parent }) => parent === pid).flatMap((one) => within(Number(one.pid))),
  ];
  return within(root);
}

/** Milliseconds of CPU that a process and all below it have used so far. */
export const cpuMsOf = (root) => treeOf(root).reduce((sum, { cpuMs }) => sum + cpuMs, 0);

/** The most memory of any process below one that only starts it. */
export const peakMemoryBelow = (root) => Math.max(...treeOf(root).map(({ pid }) => peakMemoryMb(pid)));

/** How many TCP connections a process has to a port. */
export function connectionsTo(pid, port) {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set(
    readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[2]?.endsWith(`:${hex}`))
      .map((fields) => `socket:[${fields[9]}]`),
  );
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => inodes.has(linkOf(`/proc/${pid}/fd/${fd}`))).length;
}

function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
