import { type Decision, hasEffects, narrowTool, type PlanInput, type ToolFace } from '../engine/index.ts';
import { asObject, canonicalJson, type Json, type JsonObject } from '../kernel/index.ts';
import type { ChosenTool, Parameter } from '../language/index.ts';
import { answerTo, ask, callsOf, fail, failWith, goTo } from './findings.ts';

const YES_OR_NO = ['yes', 'no'] as const;
const READ_BACK = 'files.read';

/** Reaches a goal with one tool: what is missing is asked, what destroys is confirmed, what was written is read back. */
export function planWithTool(input: PlanInput, chosen: ChosenTool<ToolFace>): Decision {
  const completed = complete(input, chosen);
  // Some tools do less with some inputs.
  const tool = 'decision' in completed ? chosen.tool : narrowTool(chosen.tool, completed.input);
  const effects = hasEffects(tool);
  switch (input.state) {
    case 'intake':
      return goTo('explore', `the goal asks for ${tool.name}${said(chosen.input)}`);
    case 'explore':
      return explore(input, completed, tool, effects);
    case 'decide':
      return effects ? decide(input, completed, tool) : finishWith(input, tool);
    case 'act':
      return act(input, completed, tool);
    default:
      return validate(input, tool);
  }
}

function explore(input: PlanInput, completed: Completed, tool: ToolFace, effects: boolean): Decision {
  const call = callsOf(input, tool.name).at(-1);
  if (call?.failure) return failWith(call);
  if ('decision' in completed) return completed.decision;
  if (effects) return goTo('decide', `everything that ${tool.name} needs is known${said(completed.input)}`);
  return {
    kind: 'call_tool',
    tool: tool.name,
    input: completed.input,
    then: 'decide',
    rationale: `${tool.name} only reads, and it answers the goal`,
  };
}

function decide(input: PlanInput, completed: Completed, tool: ToolFace): Decision {
  if ('decision' in completed) return completed.decision;
  if (!tool.annotations.destructive)
    return goTo('act', `${tool.name} does what the goal asks, and destroys nothing`);
  const question = `${tool.name} may destroy what stands there. Shall it run with ${canonicalJson(completed.input)}?`;
  switch (answerTo(input, question)) {
    case undefined:
      return ask(question, `${tool.name} is destructive, so a person has to confirm it`, YES_OR_NO);
    case 'yes':
      return goTo('act', `a person has confirmed ${tool.name}`);
    default:
      return fail(
        'agent.not_confirmed',
        `${tool.name} was not confirmed, so nothing was done.`,
        'a person said no',
      );
  }
}

function act(input: PlanInput, completed: Completed, tool: ToolFace): Decision {
  const call = callsOf(input, tool.name).at(-1);
  if (call?.failure) return failWith(call);
  if ('decision' in completed) return completed.decision;
  return {
    kind: 'call_tool',
    tool: tool.name,
    input: completed.input,
    then: 'validate',
    rationale: `the goal asks for ${tool.name}${said(completed.input)}`,
  };
}

function validate(input: PlanInput, tool: ToolFace): Decision {
  const written = asObject(callsOf(input, tool.name).at(-1)?.output);
  const { path, digest } = written;
  const readable = input.eligibleTools.some(({ name }) => name === READ_BACK);
  if (typeof path !== 'string' || typeof digest !== 'string' || !readable) return finishWith(input, tool);
  return readBack(input, path, digest) ?? finishWith(input, tool);
}

/** The step that makes sure a file has the content that was written; undefined when it is sure. */
export function readBack(input: PlanInput, path: string, digest: string): Decision | undefined {
  const call = input.evidence.findLast(({ state, tool }) => state === 'validate' && tool === READ_BACK);
  if (call === undefined) {
    const rationale = `${path} is read back; its digest tells whether it is what was written`;
    return { kind: 'call_tool', tool: READ_BACK, input: { path, max_bytes: 1 }, rationale };
  }
  if (call.failure) return failWith(call);
  if (asObject(call.output)['digest'] === digest) return undefined;
  const reason = `${path} does not hold what was written to it; somebody else may have changed it. Try again.`;
  return fail('agent.not_validated', reason, 'the digest of what was read back is another one');
}

function finishWith(input: PlanInput, tool: ToolFace): Decision {
  const call = callsOf(input, tool.name).at(-1);
  if (call === undefined) return goTo('explore', `${tool.name} has not been called yet`);
  return {
    kind: 'finish',
    output: call.output ?? null,
    rationale: `${tool.name} has done what the goal asks`,
  };
}

type Completed = { readonly input: JsonObject } | { readonly decision: Decision };

/** The tool's input from the goal and from people's answers, or the step that gets what is missing. */
function complete(input: PlanInput, { tool, ...filled }: ChosenTool<ToolFace>): Completed {
  const values: { [name: string]: Json } = { ...filled.input };
  for (const parameter of filled.missing) {
    const question = `${tool.name} needs "${parameter.name}"${parameter.description ? `: ${parameter.description}` : ''}. What should it be?`;
    const answer = answerTo(input, question);
    if (answer === undefined) {
      const options = parameter.role === 'flag' ? YES_OR_NO : parameter.choices;
      return {
        decision: ask(
          question,
          `the goal does not say "${parameter.name}", which ${tool.name} needs`,
          options.length > 0 ? options : undefined,
        ),
      };
    }
    const value = toValue(answer, parameter);
    if (value === undefined) {
      const reason = `"${answer}" cannot be used as "${parameter.name}" of ${tool.name}; start again with a better one.`;
      return { decision: fail('agent.answer_not_usable', reason, 'the answer does not fit the parameter') };
    }
    values[parameter.name] = value;
  }
  return { input: values };
}

function toValue(answer: string, { role }: Parameter): Json | undefined {
  const text = answer.trim();
  if (role === 'flag') return text === 'yes';
  if (role === 'content') return answer;
  if (text === '') return undefined;
  if (role !== 'number') return text;
  return Number.isFinite(Number(text)) ? Number(text) : undefined;
}

function said(input: JsonObject): string {
  const values = Object.entries(input).map(([name, value]) => `${name} ${shorten(canonicalJson(value))}`);
  return values.length === 0 ? '' : ` with ${values.join(', ')}`;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
}
