import { type Json, type JsonObject, sameJson } from '../../kernel/index.ts';
import { fillTemplate } from './fill-template.ts';
import { slotValues, tidyPath } from './goal-kind.ts';
import type { ExecutedCall, Execution, Procedure, ProcedureStep } from './types.ts';

/** How much of a procedure an execution did: every step in order, the first ones, or not even the first. */
export type Following = 'whole' | 'part' | 'none';

/** Compares what an execution did with the steps of a procedure. Calls in between do not matter. */
export function followsProcedure(execution: Execution, procedure: Pick<Procedure, 'steps'>): Following {
  const values = slotValues(execution.kind);
  const wanted = procedure.steps.filter(({ tool }) => tool !== undefined);
  let done = 0;
  for (const call of execution.calls) {
    const step = wanted[done];
    if (step === undefined) break;
    if (fits(call, step, values)) done += 1;
  }
  if (wanted.length > 0 && done === wanted.length) return 'whole';
  return done > 0 ? 'part' : 'none';
}

function fits(call: ExecutedCall, step: ProcedureStep, values: JsonObject): boolean {
  if (call.tool !== step.tool) return false;
  if (step.input === undefined) return true;
  const wanted = fillTemplate(step.input, values);
  return wanted !== undefined && equal(call.input, wanted);
}

/** Paths may be written in more than one way. */
function equal(given: Json, wanted: Json): boolean {
  if (typeof given === 'string' && typeof wanted === 'string')
    return given === wanted || tidyPath(given) === tidyPath(wanted);
  if (!isObject(given) || !isObject(wanted)) return sameJson(given, wanted);
  const names = new Set([...Object.keys(given), ...Object.keys(wanted)]);
  return [...names].every((name) => {
    const [one, other] = [given[name], wanted[name]];
    return one !== undefined && other !== undefined && equal(one, other);
  });
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
