// Owns: running a program without a sandbox such that nothing of it outlives the run. A process namespace is used where this
// machine allows one; it also hides other processes and their environment. Otherwise a marker finds the program's children.
import { readdirSync, readFileSync } from 'node:fs';
import { findProgram } from './workspace-programs.ts';

const NAMESPACE = ['--user', '--map-current-user', '--pid', '--fork', '--kill-child', '--mount-proc', '--'];
/** Keeps the administrator from undoing the private /proc. */
const NO_CAPABILITIES = ['--bounding-set', '-all', '--inh-caps', '-all', '--no-new-privs', '--'];
const MAX_ROUNDS = 50;

const probed = new Map<string, readonly string[]>();

/** The words before a program that give it processes of its own; none where that is not possible. */
export function processNamespace(folders: readonly string[]): readonly string[] {
  const program = findProgram('unshare', folders);
  if (program === undefined) return [];
  const known = probed.get(program) ?? probe(program, folders);
  probed.set(program, known);
  return known;
}

function probe(program: string, folders: readonly string[]): readonly string[] {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const setpriv = process.getuid?.() === 0 ? findProgram('setpriv', folders) : undefined;
  const words = [program, ...NAMESPACE, ...(setpriv === undefined ? [] : [setpriv, ...NO_CAPABILITIES])];
  const inside = findProgram('true', folders) ?? 'true';
  const { status } = spawnSync(program, [...words.slice(1), inside], { env: {}, timeout: 10_000 });
  return status === 0 ? words : [];
}

/** Kills every process whose environment contains the marker, until none is left. */
export function endMarked(marker: string): void {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = marked(marker);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    }
  }
}

function marked(marker: string): readonly number[] {
  const bytes = Buffer.from(marker);
  return processes().filter((pid) => {
    try {
      // Of a process that has ended, nothing can be read.
      return pid !== process.pid && readFileSync(`/proc/${pid}/environ`).includes(bytes);
    } catch {
      return false;
    }
  });
}

function processes(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}
