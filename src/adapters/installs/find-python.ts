import { OkaError } from '../../kernel/index.ts';
import type { EnvironmentErrorCode } from '../../tools/index.ts';
import type { Machine } from './machine.ts';
import type { CommandLimits } from './run-command.ts';

const OLDEST_PYTHON = [3, 8] as const;
/** The first pip that can install into another interpreter's environment. */
const OLDEST_PIP = [22, 3] as const;
const PROBE_MS = 30_000;
const ASK = `
import json, sys
try:
    import pip
    version = pip.__version__
except Exception:
    version = None
base = getattr(sys, '_base_executable', None) or sys.executable
print(json.dumps({'base': base, 'own': sys.executable, 'python': list(sys.version_info[:2]), 'pip': version}))
`;

/** An interpreter to make environments of, and the one whose pip fills them. */
export interface Python {
  readonly interpreter: string;
  /** Undefined when no interpreter of the machine has a pip that is new enough. */
  readonly pip: string | undefined;
}

/**
 * Looks for the real interpreter behind what is called python3: shims of version managers and active virtual environments
 * lead to one. The first that works is taken, because processes have used it so far.
 */
export async function findPython(
  machine: Machine,
  place: { readonly cwd: string; readonly home: string },
  limits: CommandLimits,
): Promise<Python> {
  const probe = { ...limits, timeLimitMs: Math.min(PROBE_MS, limits.timeLimitMs) };
  let first: string | undefined;
  for (const candidate of [...machine.programs('python3'), ...machine.programs('python')]) {
    const end = await machine.run([candidate, '-I', '-c', ASK], place, probe);
    const found = end.exitCode === 0 ? readAnswer(end.stdout) : undefined;
    if (found === undefined || !isAtLeast(found.python, OLDEST_PYTHON)) continue;
    first ??= found.base;
    const version = (found.pip ?? '0').split('.').map(Number);
    if (isAtLeast([version[0] ?? 0, version[1] ?? 0], OLDEST_PIP))
      return { interpreter: first, pip: found.own };
  }
  if (first === undefined) throw noPython();
  return { interpreter: first, pip: undefined };
}

interface Answer {
  /** The interpreter that a virtual environment stands on. */
  readonly base: string;
  readonly own: string;
  readonly python: readonly [number, number];
  readonly pip: string | null;
}

function readAnswer(stdout: string): Answer | undefined {
  try {
    return JSON.parse(stdout) as Answer;
  } catch {
    return undefined;
  }
}

function isAtLeast([major, minor]: readonly [number, number], least: readonly [number, number]): boolean {
  return major > least[0] || (major === least[0] && minor >= least[1]);
}

function noPython(): OkaError<EnvironmentErrorCode> {
  return new OkaError(
    'environment.installer_missing',
    `there is no python3 (${OLDEST_PYTHON.join('.')} or newer) on this machine, so no Python package can be installed; install python3, then try again.`,
    { data: { program: 'python3' } },
  );
}
