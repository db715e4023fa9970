// Owns: the names of files that replace others when they are complete, and telling those that a killed process has left.
import { hostname } from 'node:os';
import { digestOf } from '../kernel/index.ts';

/** Tells machines and containers apart that share a folder: each has processes of its own. */
let host: string | undefined;
function thisHost(): string {
  host ??= digestOf(hostname()).slice(0, 8);
  return host;
}

const TEMPORARY = /\.(?<host>[0-9a-f]{8})-(?<pid>\d+)\.oka-new$/;

export function temporaryFor(file: string): string {
  return `${file}.${thisHost()}-${process.pid}.oka-new`;
}

export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

/** Whether the process that made a temporary file is gone. False if that is not known here. */
export function isLeftBehind(name: string): boolean {
  const { host: maker, pid } = TEMPORARY.exec(name)?.groups ?? {};
  return maker !== undefined && maker === thisHost() && !isRunning(Number(pid));
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
