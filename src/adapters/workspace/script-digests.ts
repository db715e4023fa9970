import { realpathSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { digestOfFileNow, isProgram, namedFiles } from '../../disk/index.ts';

const INTERPRETER = /^(?:(?:ba|da|z|k|fi)?sh|node|deno|bun|tsx|python[\d.]*|ruby|perl|php|lua|env)$/;
const SCRIPT_NAME = /\.(?:[cm]?[jt]sx?|sh|bash|zsh|fish|py|rb|pl|php|lua|ps1|jar|wasm)$/i;

/**
 * The digests, by path, of the programs and scripts of a workspace that a command names, such as the script in
 * `node scripts/notify.mjs`. Other files are data, which a command may change itself.
 */
export function scriptDigests(
  workspace: string,
  command: readonly string[],
): Readonly<Record<string, string>> {
  const root = realpathSync.native(workspace);
  const run = namedFiles(wordsThatRun(command), root, root);
  const digests: Record<string, string> = {};
  for (const file of namedFiles(command, root, root)) {
    const digest = run.includes(file) || isScript(file) ? digestOfFileNow(file) : undefined;
    if (digest !== undefined) digests[relative(root, file)] = digest;
  }
  return digests;
}

/** The program, and the file that an interpreter runs. */
function wordsThatRun([program = '', ...rest]: readonly string[]): readonly string[] {
  const script = INTERPRETER.test(basename(program)) ? rest.find((word) => !word.startsWith('-')) : undefined;
  return script === undefined ? [program] : [program, script];
}

function isScript(file: string): boolean {
  return SCRIPT_NAME.test(file) || isProgram(file);
}
