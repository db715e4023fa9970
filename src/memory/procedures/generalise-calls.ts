import { canonicalJson, type Json, type JsonObject, sameJson } from '../../kernel/index.ts';
import { fillTemplate, isJsonObject, slotValues, tidyPath } from './goal-kind.ts';
import type { ExecutedCall, GoalKind, ProcedureStep } from './types.ts';

/** Consecutive calls of one tool; one step of the execution. */
export interface CallGroup {
  readonly tool: string;
  readonly calls: readonly ExecutedCall[];
}

export function groupCalls(calls: readonly ExecutedCall[]): readonly CallGroup[] {
  const groups: { tool: string; calls: ExecutedCall[] }[] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (last?.tool === call.tool) last.calls.push(call);
    else groups.push({ tool: call.tool, calls: [call] });
  }
  return groups;
}

/** A step of one execution, and the kind of its goal with its values. */
export interface SeenStep {
  readonly group: CallGroup;
  readonly kind: GoalKind;
}

/**
 * Generalises one step of several executions. An argument that always equals a value of its goal becomes that slot; one
 * that never changes is a constant. If anything else differs, the step has no input and is only advice.
 */
export function generaliseStep(seen: readonly SeenStep[]): ProcedureStep {
  const tool = (seen[0] as SeenStep).group.tool;
  if (seen.some(({ group }) => group.calls.length > 1))
    return { title: `call ${tool} as often as it takes`, tool };
  const open: string[] = [];
  const input = generalise(
    seen.map(({ group, kind }) => ({ value: (group.calls[0] as ExecutedCall).input, kind })),
    '',
    open,
  );
  const values = slotValues((seen[0] as SeenStep).kind);
  if (open.length === 0 && fillTemplate(input as Json, values) === undefined) open.push('its input');
  if (open.length > 0)
    return { title: `call ${tool}${describeInput(input)}; up to you: ${open.join(', ')}`, tool };
  return { title: `call ${tool}${describeInput(input)}`, tool, input: input as JsonObject };
}

interface SeenValue {
  readonly value: Json | undefined;
  readonly kind: GoalKind;
}

/** The template of the values. Members that cannot be predicted are left out and named in `open`. */
function generalise(seen: readonly SeenValue[], place: string, open: string[]): Json | undefined {
  const [first] = seen as [SeenValue];
  const slot = slotFor(seen);
  if (slot !== undefined) return `{{${slot}}}`;
  const same = seen.every(({ value }) => value !== undefined && sameJson(value, first.value as Json));
  // A constant that looks like a slot would be filled when the step is used.
  if (same && !canonicalJson(first.value as Json).includes('{{') && !mayContainSlot(first.value, seen))
    return first.value;
  if (seen.every(({ value }) => isJsonObject(value))) return generaliseMembers(seen, place, open);
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

/** Constant objects are searched too, because they may contain a value of the goal. */
function mayContainSlot(value: Json | undefined, seen: readonly SeenValue[]): boolean {
  return isJsonObject(value) && seen.every(({ kind }) => kind.slots.length > 0);
}

/** The slot whose value is here in every execution. */
function slotFor(seen: readonly SeenValue[]): string | undefined {
  const [first] = seen as [SeenValue];
  return first.kind.slots.find(({ name }) =>
    seen.every(({ value, kind }) => value !== undefined && isSlotValue(value, kind, name)),
  )?.name;
}

function isSlotValue(value: Json, kind: GoalKind, name: string): boolean {
  const given = slotValues(kind)[name];
  if (given === undefined) return false;
  const slot = kind.slots.find((one) => one.name === name);
  const tidy = slot?.kind === 'path' && typeof value === 'string' ? tidyPath(value) : value;
  return sameJson(tidy, given);
}

function describeInput(input: Json | undefined): string {
  if (!isJsonObject(input)) return '';
  const members = Object.entries(input).map(([name, value]) => `${name} ${shorten(value)}`);
  return members.length === 0 ? '' : ` with ${members.join(', ')}`;
}

function shorten(value: Json): string {
  const text = typeof value === 'string' ? value : canonicalJson(value);
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}
