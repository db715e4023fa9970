// Owns: the names of the virtual objects, their keys, and how a call is written.
import type { Json } from '../../kernel/index.ts';
import type { Mailbox } from './ports.ts';

export const RUN = 'oka_run';
export const SCHEDULES = 'oka_schedules';
export const MAILBOX = 'oka_mailbox';
export const PROJECT = 'oka_project';
export const QUOTA = 'oka_quota';
export const WORKERS = 'oka_workers';

/** What is called: the handler of one object. */
export interface Target {
  readonly service: string;
  readonly handler: string;
  readonly key: string;
}

export function runTarget(project: string, run: string): Target {
  return { service: RUN, handler: 'drive', key: `${project}/${run}` };
}

/** Returns the place of a run when no drive of it is active. */
export function releaseTarget(project: string, run: string): Target {
  return { ...runTarget(project, run), handler: 'release' };
}

export function quotaTarget(project: string, handler: 'acquire' | 'release'): Target {
  return { service: QUOTA, handler, key: project };
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

/** JSON as the bytes that a proof covers. */
export const RAW_JSON = {
  contentType: 'application/json',
  serialize: (body: Uint8Array): Uint8Array => body,
  deserialize: (body: Uint8Array): Uint8Array => body,
};

export function toBody(parameter: Json): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(parameter));
}
