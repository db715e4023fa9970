// Owns: the names of the virtual objects, their keys, and the proof that a caller has the token of its project.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Mailbox } from './ports.ts';

export const RUN = 'oka_run';
export const SCHEDULES = 'oka_schedules';
export const MAILBOX = 'oka_mailbox';
export const PROJECT = 'oka_project';
export const QUOTA = 'oka_quota';
export const WORKERS = 'oka_workers';

/** The header with the proof. */
export const PROOF = 'x-oka-proof';

/** What is called: the handler of one object. */
export interface Target {
  readonly service: string;
  readonly handler: string;
  readonly key: string;
}

export function runTarget(project: string, run: string): Target {
  return { service: RUN, handler: 'drive', key: `${project}/${run}` };
}

export function mailboxTarget(project: string, { agent, conversation }: Mailbox): Target {
  return { service: MAILBOX, handler: 'deliver', key: `${project}/${agent}/${conversation}` };
}

export function schedulesTarget(project: string): Target {
  return { service: SCHEDULES, handler: 'tick', key: project };
}

export function projectTarget(project: string): Target {
  return { service: PROJECT, handler: 'reconcile', key: project };
}

export function workersTarget(project: string, handler: 'announce' | 'list'): Target {
  return { service: WORKERS, handler, key: project };
}

/** The project of a key, and the rest. Names of projects have no slash. */
export function splitKey(key: string): { readonly project: string; readonly rest: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { project: key, rest: '' }
    : { project: key.slice(0, slash), rest: key.slice(slash + 1) };
}

/** Proves for one target that the caller has the token. Restate stores headers, so the token itself is never sent. */
export function proofFor(token: string, { service, handler, key }: Target): string {
  return createHmac('sha256', token).update(`${service}\n${handler}\n${key}`).digest('hex');
}

export function proofHeaders(token: string | undefined, target: Target): Record<string, string> {
  return token === undefined ? {} : { [PROOF]: proofFor(token, target) };
}

/** Compares in constant time. Without a token, the project is open to everybody who reaches the cluster. */
export function isProven(token: string | undefined, target: Target, proof: string | undefined): boolean {
  if (token === undefined) return true;
  const expected = Buffer.from(proofFor(token, target));
  const given = Buffer.from(proof ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
