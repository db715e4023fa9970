import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../src/kernel/index.ts';
import type { Workspace } from '../cli/oka-process.ts';
import { seededRandom } from '../support/seeded-random.ts';
import type { PreparedWorkspace } from './prepare-workspace.ts';

const TARGETS = [
  'database',
  'log',
  'mirror',
  'blob',
  'vault',
  'database and mirror',
  'log and mirror',
] as const;
const KINDS = [
  'bit flip',
  'garbage',
  'truncation',
  'deletion',
  'stale copy',
  'swapped lines',
  'doubled line',
] as const;
export type Target = (typeof TARGETS)[number];
export type Kind = (typeof KINDS)[number];

/** One row of the published table. */
export interface DamageCell {
  readonly target: Target;
  readonly kind: Kind;
}

const ANY_FILE: readonly Kind[] = ['bit flip', 'garbage', 'truncation', 'deletion', 'stale copy'];
/** Damages that keep the rest of both files, so that one can restore the other. */
const IN_PLACE: readonly Kind[] = ['bit flip', 'garbage'];

const KINDS_OF: Readonly<Record<Target, readonly Kind[]>> = {
  database: ANY_FILE,
  log: ANY_FILE,
  mirror: KINDS,
  blob: ANY_FILE,
  vault: ANY_FILE,
  'database and mirror': IN_PLACE,
  'log and mirror': [...IN_PLACE, 'truncation', 'deletion'],
};

export const CELLS: readonly DamageCell[] = TARGETS.flatMap((target) =>
  KINDS_OF[target].map((kind) => ({ target, kind })),
);

/** What was done to a copy of the prepared workspace. */
export interface Damage extends DamageCell {
  readonly seed: number;
  /** Positions and amounts, to investigate a failure. */
  readonly detail: string;
}

/** Consecutive seeds go through all cells; the places within the files follow from the seed. */
export function cellOf(seed: number): DamageCell {
  return CELLS[(seed - 1) % CELLS.length] as DamageCell;
}

export function applyDamage(seed: number, prepared: PreparedWorkspace, workspace: Workspace): Damage {
  const { target, kind } = cellOf(seed);
  const tool = new DamageTool(seededRandom(seed), prepared, workspace);
  return { seed, target, kind, detail: damageTarget(tool, target, kind, prepared) };
}

const DATABASE = 'oka.db';
const LOG = 'oka.db-wal';
const MIRROR = 'run_ledger.jsonl';

function damageTarget(tool: DamageTool, target: Target, kind: Kind, prepared: PreparedWorkspace): string {
  switch (target) {
    case 'database':
      return tool.damage(DATABASE, kind);
    case 'log':
      return tool.damage(LOG, kind);
    case 'mirror':
      return tool.damage(MIRROR, kind);
    case 'vault':
      return tool.damage('vault', kind);
    case 'blob':
      return tool.damage(tool.pick(prepared.blobs), kind);
    // The two damages hit different events: those whose newest pages are in the log, and those before them.
    case 'database and mirror':
      return `${tool.damage(DATABASE, kind)}; ${tool.damage(MIRROR, 'bit flip', { from: prepared.mirrorBytesBeforeLog })}`;
    case 'log and mirror':
      return `${tool.damage(LOG, kind)}; ${tool.damage(MIRROR, 'bit flip', { to: prepared.mirrorBytesBeforeLog })}`;
  }
}

/** Damages files of `.oka`, at places that follow from the seed. Each method returns what it did. */
class DamageTool {
  readonly #random: Random;
  readonly #prepared: PreparedWorkspace;
  readonly #workspace: Workspace;

  constructor(random: Random, prepared: PreparedWorkspace, workspace: Workspace) {
    this.#random = random;
    this.#prepared = prepared;
    this.#workspace = workspace;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)] as T;
  }

  damage(path: string, kind: Kind, range: { readonly from?: number; readonly to?: number } = {}): string {
    const file = this.#workspace.at(join('.oka', path));
    const bytes = readFileSync(file);
    const { from = 0, to = bytes.length } = range;
    switch (kind) {
      case 'bit flip': {
        const at = from + this.#below(to - from);
        bytes[at] = (bytes[at] as number) ^ (1 << this.#below(8));
        writeFileSync(file, bytes);
        return `one bit of byte ${at} of ${path}`;
      }
      case 'garbage': {
        const length = Math.min(16 + this.#below(4_096), to - from);
        const at = from + this.#below(to - from - length + 1);
        bytes.write(this.#random.hex(length), at, 'hex');
        writeFileSync(file, bytes);
        return `${length} random bytes at ${at} of ${path}`;
      }
      case 'truncation': {
        const length = this.#below(bytes.length);
        truncateSync(file, length);
        return `${path} cut to ${length} of ${bytes.length} bytes`;
      }
      case 'deletion':
        rmSync(file);
        return `${path} deleted`;
      case 'stale copy': {
        const stale = this.pick(this.#staleCopies(path));
        writeFileSync(file, stale);
        return `${path} replaced by an older copy of ${stale.length} bytes`;
      }
      case 'swapped lines':
      case 'doubled line':
        return this.#rearrange(file, bytes, kind);
    }
  }

  /** A blob never changes, so the content of another blob simulates an older copy. */
  #staleCopies(path: string): readonly Buffer[] {
    const { blobs } = this.#prepared.truth;
    if (!blobs.has(path)) return this.#prepared.stale(path);
    return [...blobs].filter(([other]) => other !== path).map(([, bytes]) => bytes);
  }

  #rearrange(file: string, bytes: Buffer, kind: 'swapped lines' | 'doubled line'): string {
    const lines = bytes.toString().trimEnd().split('\n');
    const [one, other] = [this.#below(lines.length - 1), this.#below(lines.length - 1)];
    const second = other >= one ? other + 1 : other;
    if (kind === 'doubled line') lines.splice(second, 0, lines[one] as string);
    else [lines[one], lines[second]] = [lines[second] as string, lines[one] as string];
    writeFileSync(file, `${lines.join('\n')}\n`);
    return kind === 'doubled line'
      ? `line ${one + 1} written again before line ${second + 1}`
      : `lines ${one + 1} and ${second + 1} swapped`;
  }

  #below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }
}
