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

/** A word that may be a subcommand: `run`, `build:all`. */
const SUBCOMMAND = /^[A-Za-z][A-Za-z0-9]*(?:[:_-][A-Za-z0-9]+)*$/;
/** Options whose value is usually code or a command. */
const CODE_OPTION =
  /^(?:-[A-Za-z]*[cex]|--?(?:exec|eval|call|command|cmd|run|shell|print|script|config|hook)\b.*)$/i;

/**
 * The words that a later call must have too. Texts (words with white space) and numbers may differ, such as the message of a
 * commit, if a subcommand follows the program and no option takes code. Otherwise every word must be the same.
 */
export function grantedWords(argv: readonly string[]): readonly string[] {
  const [, second = ''] = argv;
  const isExact = !SUBCOMMAND.test(second) || argv.some((word) => CODE_OPTION.test(word));
  return isExact ? argv : argv.map(withoutText);
}

function withoutText(word: string): string {
  if (/^\d+$/.test(word)) return '…';
  if (!/\s/.test(word)) return word;
  const [option] = /^--?[A-Za-z][\w-]*=/.exec(word) ?? [''];
  return `${option}…`;
}

/** Calls with the same scope are covered by the same grant. Never covers network access. */
export function grantScope(call: ProcessCall, defaultSeconds: number): JsonObject {
  const { argv, cwd, env = {}, secrets = {}, stdin, timeout_seconds } = call;
  return defined({
    argv: [...grantedWords(argv)],
    cwd: cwd ?? '.',
    env: { ...env },
    secrets: { ...secrets },
    stdin: stdin === undefined ? undefined : digestOf(stdin),
    timeout_seconds: timeout_seconds > defaultSeconds ? timeout_seconds : undefined,
  }) as JsonObject;
}
