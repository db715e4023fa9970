// Owns: a program that works on a draft, from its start to the applied changes.
// I1 Nothing of the workspace changes before it is known what would. I2 An interrupted call runs no program twice once its
// changes are being applied.
import { posix } from 'node:path';
import { actingFile, type BoundDraft, requireCapability, type ToolContext } from '../../engine/index.ts';
import { digestOfJson, type Json, OkaError } from '../../kernel/index.ts';
import { isGit } from '../harden-git.ts';
import type { Draft, DraftChange, Files, Processes, ProcessRequest, ProcessResult } from '../ports.ts';
import { applyChanges, keepReplaced, requireUnchanged } from './apply-draft.ts';
import { type DraftPlan, planChanges } from './draft-rules.ts';

/** What a call did to the workspace, for its output. */
interface AppliedChanges {
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly paths: readonly string[];
  readonly notApplied?: readonly string[];
}

type DraftResult = ProcessResult & { readonly changes?: AppliedChanges };

/** What is kept with a draft: the result of the program, and the changes that wait for an approval or are being applied. */
interface Kept {
  readonly phase: 'asked' | 'applying' | 'applied';
  readonly result: ProcessResult;
  readonly plan: DraftPlan;
  readonly preimage?: Json;
}

const BESIDE_HISTORY = /(^|\/)\.git\/(index|logs\/.+|refs\/stash|ORIG_HEAD|COMMIT_EDITMSG)$/;
const MAX_FACTS = 30;
const MAX_PATHS = 100;
const MAX_REPOSITORY_PATHS = 5;

/** Runs a program on a draft and applies what it did. `run` starts the program. */
export async function runOnDraft(
  request: ProcessRequest,
  context: ToolContext,
  run: (request: ProcessRequest) => Promise<ProcessResult>,
): Promise<DraftResult> {
  const processes = requireCapability<Processes>(context, 'processes');
  const bound = context.binding?.draft;
  const key = bound?.key ?? context.idempotencyKey;
  const earlier = await processes.openDraft(key);
  const kept = (await earlier.kept()) as unknown as Kept | undefined;
  if (kept?.phase === 'applied') return finish(earlier, kept, context);
  if (kept?.phase === 'applying') return apply(earlier, kept, context);
  if (kept !== undefined && bound?.digest === digestOfPlan(kept.plan)) {
    await requireUnchanged(kept.plan.apply, requireCapability<Files>(context, 'files'));
    return apply(earlier, kept, context);
  }
  if (kept === undefined && context.repeated && !earlier.existed) throw outcomeUnknown(request);
  // What was approved is not there any more, so a person is asked about what the program does now.
  if (kept !== undefined) await earlier.discard();
  const draft = kept === undefined ? earlier : await processes.openDraft(key);
  const work = await runProgram(draft, request, context, run);
  if (work.plan.apply.length === 0) {
    await draft.discard();
    return describe(work.result, work.plan);
  }
  const isAllowed = context.allowedByPerson && bound === undefined;
  const why = isAllowed ? undefined : whyAsk(work.plan, context);
  if (why !== undefined) context.noteAsk?.();
  if (why === undefined || context.noteAsk !== undefined) return apply(draft, work, context);
  await draft.keep(work as unknown as Json);
  const asked: BoundDraft = { key, digest: digestOfPlan(work.plan), facts: factsOf(work) };
  throw new OkaError('engine.apply_asks', why, { data: { draft: asked as unknown as Json } });
}

/** Runs the program and lists what it did. A draft whose program failed to run is dropped. */
async function runProgram(
  draft: Draft,
  request: ProcessRequest,
  context: ToolContext,
  run: (request: ProcessRequest) => Promise<ProcessResult>,
): Promise<Kept> {
  try {
    const result = await run({ ...request, draft });
    const plan = planChanges(await draft.changes(), isGit(request.argv[0] ?? ''));
    await requireUnchanged(plan.apply, requireCapability<Files>(context, 'files'));
    return { phase: 'asked', result, plan };
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

/** Why a person is asked before the changes are applied. A write that can be undone needs no question. */
function whyAsk({ apply }: DraftPlan, { untrusted, unattended }: ToolContext): string | undefined {
  const acting = unattended ? apply.find(({ path }) => actingFile(path) !== undefined) : undefined;
  if (acting !== undefined)
    return `nobody watches this run, and the program changed ${acting.path}: ${actingFile(acting.path)}`;
  if (untrusted) return 'the run has read untrusted content, and the program changed files';
  if (apply.some(movesHistory)) return 'the program changed the repository';
  return undefined;
}

/** Whether a change replaces or removes something of a repository, other than what `git add` and `git stash` work on. */
function movesHistory({ path, before, repository }: DraftChange): boolean {
  return repository !== undefined && before !== undefined && !BESIDE_HISTORY.test(path);
}

async function apply(draft: Draft, kept: Kept, context: ToolContext): Promise<DraftResult> {
  const files = requireCapability<Files>(context, 'files');
  const { plan } = kept;
  let { preimage } = kept;
  if (preimage === undefined) {
    try {
      preimage = await keepReplaced(plan.apply, context);
    } catch (error) {
      await draft.discard();
      throw error;
    }
    await draft.keep({ ...kept, phase: 'applying', preimage } as unknown as Json);
  }
  // Known before the first change, so that an incomplete application can be undone.
  context.noteChanges?.(preimage);
  await applyChanges(plan.apply, files);
  const done: Kept = { ...kept, phase: 'applied', preimage };
  await draft.keep(done as unknown as Json);
  return finish(draft, done, context);
}

/** The record stays until the outcome is recorded; a later draft of the workspace sweeps it. */
async function finish(
  draft: Draft,
  { result, plan, preimage }: Kept,
  context: ToolContext,
): Promise<DraftResult> {
  if (preimage !== undefined) context.noteChanges?.(preimage);
  for (const { path, before, after, repository } of plan.apply) {
    if (after === undefined || repository !== undefined) continue;
    const place = { made: before === undefined ? [posix.basename(path)] : [] };
    context.noteWrite?.(after.kind === 'file' ? { digest: after.digest, path, place } : { path, place });
  }
  await draft.trim();
  return describe(result, plan);
}

function describe(result: ProcessResult, { apply, refused }: DraftPlan): DraftResult {
  if (apply.length === 0 && refused.length === 0) return result;
  const shown = apply.filter(({ before, after }) => (after ?? before)?.kind !== 'folder');
  const count = (test: (change: DraftChange) => boolean): number => shown.filter(test).length;
  return {
    ...result,
    changes: {
      created: count(({ before }) => before === undefined),
      changed: count(({ before, after }) => before !== undefined && after !== undefined),
      deleted: count(({ after }) => after === undefined),
      paths: shown.slice(0, MAX_PATHS).map(({ path }) => path),
      ...(refused.length === 0
        ? {}
        : { notApplied: refused.slice(0, MAX_PATHS).map(({ path, why }) => `${path}: ${why}`) }),
    },
  };
}

function factsOf({ plan: { apply, refused } }: Kept): readonly string[] {
  const shown = apply.filter(({ before, after }) => (after ?? before)?.kind !== 'folder');
  const lines = [
    ...factOfRepository(shown.flatMap(({ path, repository }) => (repository === undefined ? [] : [path]))),
    ...shown
      .filter(({ repository }) => repository === undefined)
      .map(({ path, before, after }) => `${verbOf(before, after)} ${path}`),
    ...refused.map(({ path, why }) => `does not apply ${path}: ${why}`),
  ];
  const more = lines.length - MAX_FACTS;
  return more > 0 ? [...lines.slice(0, MAX_FACTS), `and ${more} more`] : lines;
}

/** One line for all changes of repositories: what is in their objects and logs says nothing to a person. */
function factOfRepository(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const said = paths.filter((path) => !/(^|\/)(objects|logs)\//.test(path)).slice(0, MAX_REPOSITORY_PATHS);
  const more = paths.length - said.length;
  const parts = [...said, ...(more > 0 ? [`${more} more files`] : [])];
  return [`changes the repository: ${parts.join(', ')}`];
}

function verbOf(before: DraftChange['before'], after: DraftChange['after']): string {
  return before === undefined ? 'creates' : after === undefined ? 'deletes' : 'changes';
}

function digestOfPlan({ apply }: DraftPlan): ReturnType<typeof digestOfJson> {
  return digestOfJson(
    apply.map(({ path, before, after }) => {
      const { file: _, ...left } = after ?? {};
      return [path, before === undefined ? null : { ...before }, after === undefined ? null : left];
    }) as unknown as Json,
  );
}

/** The program may have run to its end although nothing is recorded about it. */
function outcomeUnknown({ argv }: ProcessRequest): OkaError {
  return new OkaError('engine.effect_unknown', `it is not known whether "${argv[0]}" ran to its end`);
}
