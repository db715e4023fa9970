import { OkaError } from '../../kernel/index.ts';
import type { EnvironmentErrorCode } from '../../tools/index.ts';
import type { CommandLimits, Machine } from './machine.ts';

const MIN_PYTHON = [3, 8] as const;
/** The first pip that can install into another interpreter's environment. */
const MIN_PIP = [22, 3] as const;
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

/** An interpreter to create environments with, and one whose pip installs into them. */
export interface Python {
  readonly interpreter: string;
  /** Undefined if no interpreter on the machine has a recent enough pip. */
  readonly pip: string | undefined;
}

/**
 * Finds the real interpreter behind python3, which may be a version manager's shim or an active virtual environment. Takes the
 * first that works, because processes use it too.
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
    if (found === undefined || !isAtLeast(found.python, MIN_PYTHON)) continue;
    first ??= found.base;
    const version = (found.pip ?? '0').split('.').map(Number);
    if (isAtLeast([version[0] ?? 0, version[1] ?? 0], MIN_PIP)) return { interpreter: first, pip: found.own };
  }
  if (first === undefined) throw noPython();
  return { interpreter: first, pip: undefined };
}

interface Answer {
  /** The base interpreter of a virtual environment. */
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

function isAtLeast([major, minor]: readonly [number, number], min: readonly [number, number]): boolean {
  return major > min[0] || (major === min[0] && minor >= min[1]);
}

function noPython(): OkaError<EnvironmentErrorCode> {
  return new OkaError(
    'environment.installer_missing',
    `python3 (${MIN_PYTHON.join('.')} or newer) not found, so no Python package can be installed. Install python3 and try again.`,
    { data: { program: 'python3' } },
  );
}
