// Owns: what a remembered approval of process.run covers.
import { digestOf, type JsonObject } from '../kernel/index.ts';
import { defined } from './define-tool.ts';

/** The members of a call of process.run. */
export interface ProcessCall {
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  readonly timeout_seconds: number;
  readonly stdin?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  readonly network?: unknown;
}

/** Calls with the same scope are covered by the same grant: every word is the same. Never covers network access. */
export function grantScope(call: ProcessCall, defaultSeconds: number): JsonObject {
  const { argv, cwd, env = {}, secrets = {}, stdin, timeout_seconds } = call;
  return defined({
    argv: [...argv],
    cwd: cwd ?? '.',
    env: { ...env },
    secrets: { ...secrets },
    stdin: stdin === undefined ? undefined : digestOf(stdin),
    timeout_seconds: timeout_seconds > defaultSeconds ? timeout_seconds : undefined,
  }) as JsonObject;
}
