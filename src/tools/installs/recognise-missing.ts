import { stripVTControlCharacters } from 'node:util';
import type { OkaError } from '../../kernel/index.ts';
import type { ProcessResult } from '../process-ports.ts';
import { FAILURE_PATTERNS } from './failure-patterns.ts';
import type { MissingDependency } from './types.ts';

const MOST_TEXT = 65_536;
const LONGEST_LINE = 1_000;
const LONGEST_EVIDENCE = 500;

/** Reads from a failed process what it missed. The last line that tells counts, because it is nearest to the failure. */
export function recogniseMissing(
  failure: Pick<ProcessResult, 'exitCode' | 'stdout' | 'stderr'> | OkaError,
): MissingDependency | undefined {
  if (failure instanceof Error) return recogniseProgram(failure);
  if (failure.exitCode === null || failure.exitCode === 0) return undefined;
  return recogniseText(failure.stderr) ?? recogniseText(failure.stdout);
}

function recogniseProgram({ code, data, message }: OkaError): MissingDependency | undefined {
  const program = data['program'];
  if (code !== 'process.program_missing' || typeof program !== 'string') return undefined;
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}$/.test(program)) return undefined;
  return { kind: 'command', name: program, evidence: message.slice(0, LONGEST_EVIDENCE) };
}

function recogniseText(given: string): MissingDependency | undefined {
  const text = stripVTControlCharacters(given.slice(-MOST_TEXT));
  const lines = text.split(/\r?\n/);
  for (const line of lines.reverse()) {
    if (line.length > LONGEST_LINE) continue;
    for (const { kind, pattern, loader, nameOf, whenText } of FAILURE_PATTERNS) {
      const name = pattern.exec(line)?.groups?.['name'];
      if (name === undefined || (whenText && !text.includes(whenText))) continue;
      const evidence = line.trim().slice(0, LONGEST_EVIDENCE);
      return { kind, name: nameOf?.(name) ?? name, ...(loader && { loader }), evidence };
    }
  }
  return undefined;
}
