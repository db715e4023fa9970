import { canonicalJson, type Json, type JsonObject, sameJson } from '../../kernel/index.ts';
import { fillTemplate } from './fill-template.ts';
import { slotValues, tidyPath } from './goal-kind.ts';
import type { ExecutedCall, GoalKind, ProcedureStep } from './types.ts';

/** Calls of one tool right after each other are one step of as many calls as it takes. */
export interface CallGroup {
  readonly tool: string;
  readonly calls: readonly ExecutedCall[];
}

/** The calls of an execution as steps. */
export function groupCalls(calls: readonly ExecutedCall[]): readonly CallGroup[] {
  const groups: { tool: string; calls: ExecutedCall[] }[] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (last?.tool === call.tool) last.calls.push(call);
    else groups.push({ tool: call.tool, calls: [call] });
  }
  return groups;
}

/** The same step of several executions, and the kinds of their goals with the values. */
export interface StepSeen {
  readonly group: CallGroup;
  readonly kind: GoalKind;
}

/**
 * What the same step of several executions has in common. An argument that always equals a value of its goal becomes the
 * slot, one that is always the same a constant. Where something else differs the step is advice: it has no input.
 */
export function generaliseStep(seen: readonly StepSeen[]): ProcedureStep {
  const tool = (seen[0] as StepSeen).group.tool;
  if (seen.some(({ group }) => group.calls.length > 1))
    return { title: `call ${tool} as often as it takes`, tool };
  const open: string[] = [];
  const input = generalise(
    seen.map(({ group, kind }) => ({ value: (group.calls[0] as ExecutedCall).input, kind })),
    '',
    open,
  );
  const values = slotValues((seen[0] as StepSeen).kind);
  if (open.length === 0 && fillTemplate(input as Json, values) === undefined) open.push('its input');
  if (open.length > 0) return { title: `call ${tool}${told(input)}; up to you: ${open.join(', ')}`, tool };
  return { title: `call ${tool}${told(input)}`, tool, input: input as JsonObject };
}

interface SeenValue {
  readonly value: Json | undefined;
  readonly kind: GoalKind;
}

/** The template of values; what cannot be told beforehand is left out and its place named in `open`. */
function generalise(seen: readonly SeenValue[], place: string, open: string[]): Json | undefined {
  const [first] = seen as [SeenValue];
  const slot = slotFor(seen);
  if (slot !== undefined) return `{{${slot}}}`;
  const same = seen.every(({ value }) => value !== undefined && sameJson(value, first.value as Json));
  // A constant that looks like a place would be filled when the step is used.
  if (same && !canonicalJson(first.value as Json).includes('{{') && !nested(first.value, seen))
    return first.value;
  if (seen.every(({ value }) => isObject(value))) return generaliseMembers(seen, place, open);
  open.push(place === '' ? 'its input' : place);
  return undefined;
}

function generaliseMembers(seen: readonly SeenValue[], place: string, open: string[]): Json {
  const names = new Set(seen.flatMap(({ value }) => Object.keys(value as JsonObject)));
  const members: Record<string, Json> = {};
  for (const name of [...names].sort()) {
    const below = seen.map(({ value, kind }) => ({ value: (value as JsonObject)[name], kind }));
    const member = generalise(below, place === '' ? name : `${place}.${name}`, open);
    if (member !== undefined) members[name] = member;
  }
  return members;
}

/** An object is looked into even where it is always the same, because a value of the goal may stand in it. */
function nested(value: Json | undefined, seen: readonly SeenValue[]): boolean {
  return isObject(value) && seen.every(({ kind }) => kind.slots.length > 0);
}

/** The slot whose value stands here in every execution. */
function slotFor(seen: readonly SeenValue[]): string | undefined {
  const [first] = seen as [SeenValue];
  return first.kind.slots.find(({ name }) =>
    seen.every(({ value, kind }) => value !== undefined && stands(value, kind, name)),
  )?.name;
}

function stands(value: Json, kind: GoalKind, name: string): boolean {
  const given = slotValues(kind)[name];
  if (given === undefined) return false;
  const slot = kind.slots.find((one) => one.name === name);
  const tidy = slot?.kind === 'path' && typeof value === 'string' ? tidyPath(value) : value;
  return sameJson(tidy, given);
}

function told(input: Json | undefined): string {
  if (!isObject(input)) return '';
  const members = Object.entries(input).map(([name, value]) => `${name} ${shown(value)}`);
  return members.length === 0 ? '' : ` with ${members.join(', ')}`;
}

function shown(value: Json): string {
  const text = typeof value === 'string' ? value : canonicalJson(value);
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
