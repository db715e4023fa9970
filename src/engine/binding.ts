// Owns: what a call is bound to besides its arguments, and how that is compared and shown. Pure.
import type { Digest, Json } from '../kernel/index.ts';

/** A file that a call uses, by its content. */
export interface BoundFile {
  readonly role: 'program' | 'file';
  /** As the call names it; a program named by a path has its absolute path. */
  readonly name: string;
  /** The real path; absent if there is no such program. */
  readonly path?: string;
  readonly digest?: Digest;
  /**
   * Who can change the file: only the administrator (`system`), only Oka's installer without being noticed (`oka`), or the
   * user and their programs; `workspace` if it lies in the workspace.
   */
  readonly owner?: 'system' | 'oka' | 'user' | 'workspace';
}

export type BindingPart = 'program' | 'all';

/** What a call is bound to besides its arguments. It runs only while all of it is unchanged. */
export interface Binding {
  /** `program`: the files that arguments name are not part of it. */
  readonly part: BindingPart;
  readonly files: readonly BoundFile[];
  /** What a grant for this call covers: later calls of the same scope with the same files. */
  readonly scope?: Json;
  /** The scope in words. */
  readonly covers?: string;
  /** Why an approval of this call cannot be remembered. */
  readonly notRemembered?: string;
  /** What the call did on its draft and may do to the workspace once it is approved. */
  readonly draft?: BoundDraft;
}

/** The changes that wait for an approval. */
export interface BoundDraft {
  /** The key of the draft. */
  readonly key: string;
  /** Covers every change. */
  readonly digest: Digest;
  /** The changes in words. */
  readonly facts: readonly string[];
}

/** The rule of a request that is made because a program or a file changed. */
export const CHANGED_RULE = 'changed_program';
/** The rule of a request to apply what a program did on its draft. */
export const APPLY_RULE = 'apply_changes';

export function programOf({ files }: Binding): BoundFile | undefined {
  return files.find(({ role }) => role === 'program');
}

/** How the bound files differ, in words; undefined if they are the same. */
export function describeChange(before: Binding, now: Binding): string | undefined {
  const [old, fresh] = [programOf(before), programOf(now)];
  if (old?.path !== fresh?.path)
    return `the program "${fresh?.name ?? old?.name ?? ''}" is now ${fresh?.path ?? 'missing'} instead of ${old?.path ?? 'missing'}`;
  if (old?.digest !== fresh?.digest) return `the program ${fresh?.path ?? ''} changed`;
  const known = filesOf(before);
  const current = filesOf(now);
  for (const [path, digest] of current) {
    if (!known.has(path)) return `${path} is new`;
    if (known.get(path) !== digest) return `${path} changed`;
  }
  const gone = [...known.keys()].find((path) => !current.has(path));
  return gone === undefined ? undefined : `${gone} is missing`;
}

function filesOf({ files }: Binding): ReadonlyMap<string, Digest | undefined> {
  const named = files.filter(({ role }) => role === 'file');
  return new Map(named.map(({ path, name, digest }) => [path ?? name, digest]));
}

const SHOWN_DIGITS = 12;
const MAX_SHOWN_FILES = 20;

/** The facts about a call that a person sees before deciding. */
export function factsOf(binding: Binding): readonly string[] {
  const program = programOf(binding);
  const files = binding.files.filter(({ role }) => role === 'file');
  const more = files.length - MAX_SHOWN_FILES;
  return [
    ...(binding.draft?.facts ?? []),
    ...(program === undefined ? [] : [showProgram(program)]),
    ...files.slice(0, MAX_SHOWN_FILES).map((file) => `file ${showFile(file)}`),
    ...(more > 0 ? [`and ${more} more files`] : []),
    ...(binding.notRemembered === undefined ? [] : [`Not remembered: ${binding.notRemembered}`]),
  ];
}

function showProgram(program: BoundFile): string {
  if (program.path === undefined) return `program "${program.name}" is not installed`;
  return `program ${showFile(program)}`;
}

function showFile({ path, name, digest }: BoundFile): string {
  return `${path ?? name} (sha256 ${digest?.slice(0, SHOWN_DIGITS) ?? 'unknown'}…)`;
}
