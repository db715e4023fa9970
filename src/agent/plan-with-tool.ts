import { type Decision, hasEffects, narrowTool, type PlanInput, type ToolFace } from '../engine/index.ts';
import { asObject, canonicalJson, type Json, type JsonObject } from '../kernel/index.ts';
import type { ChosenTool, Parameter } from '../language/index.ts';
import { answerTo, ask, call, callsOf, fail, failWith, goTo } from './findings.ts';

const YES_OR_NO = ['yes', 'no'] as const;
const READ_BACK = 'files.read';

/** Reaches a goal with one tool: asks for missing parameters, confirms destructive calls, reads written files back. */
export function planWithTool(
  input: PlanInput,
  { chosen, confirm }: { readonly chosen: ChosenTool<ToolFace>; readonly confirm?: string },
): Decision {
  const doubt = confirm === undefined ? undefined : confirmReading(input, confirm);
  if (doubt) return doubt;
  const completed = complete(input, chosen);
  // Some tools have fewer effects with some inputs.
  const tool = 'decision' in completed ? chosen.tool : narrowTool(chosen.tool, completed.input);
  const effects = hasEffects(tool);
  switch (input.state) {
    case 'explore':
      return explore(input, completed, chosen, effects);
    case 'decide':
      return effects ? decide(input, completed, tool) : finishWith(input, tool);
    case 'act':
      return act(input, completed, tool);
    default:
      return validate(input, tool);
  }
}

/** Why a goal is done with a tool. */
export function reasonForTool({ tool, input }: ChosenTool<ToolFace>): string {
  return `the goal asks for ${tool.name}${listed(input)}`;
}

/** The question whether the goal was read correctly; undefined when a person said yes. */
function confirmReading(input: PlanInput, question: string): Decision | undefined {
  const answer = answerTo(input, question);
  if (answer === 'yes') return undefined;
  if (answer === undefined) return ask(question, 'the goal can also mean something else', YES_OR_NO);
  const reason = 'The goal was not read correctly; nothing was done. Say it in other words, texts in quotes.';
  return fail('agent.not_confirmed', reason, 'a person said that the goal means something else');
}

function explore(
  input: PlanInput,
  completed: Completed,
  { tool, guessed }: ChosenTool<ToolFace>,
  effects: boolean,
): Decision {
  const last = callsOf(input, tool.name).at(-1);
  if (last?.failure) {
    const { path } = asObject(last.input);
    const guess = guessed.find(({ part }) => part.text === path);
    if (last.failure.code !== 'files.not_found' || !guess) return failWith(last);
    const reason = `Oka read "${guess.part.text}" as the name of a file or folder, and there is none of that name. Say: oka do "what can you do?"; for other goals add a model: oka model add`;
    return fail('agent.goal_not_understood', reason, `there is no ${guess.part.text}`);
  }
  if ('decision' in completed) return completed.decision;
  if (effects) return goTo('decide', `everything that ${tool.name} needs is known${listed(completed.input)}`);
  const rationale = `${tool.name} only reads, and it answers the goal`;
  return { ...call(tool.name, completed.input, rationale), then: 'decide' };
}

/** A destructive call is confirmed as the call that it is, by an approval. */
function decide(input: PlanInput, completed: Completed, tool: ToolFace): Decision {
  if ('decision' in completed) return completed.decision;
  // Runs of version 2 asked here in words.
  const asked = `${tool.name} may change or delete data. Shall it run with ${canonicalJson(completed.input)}?`;
  if (answerTo(input, asked) === 'no') {
    const reason = `${tool.name} was not confirmed; nothing was done.`;
    return fail('agent.not_confirmed', reason, 'a person said no');
  }
  return goTo('act', `${tool.name} does what the goal asks`);
}

function act(input: PlanInput, completed: Completed, tool: ToolFace): Decision {
  const last = callsOf(input, tool.name).at(-1);
  if (last?.failure) return failWith(last);
  if ('decision' in completed) return completed.decision;
  const rationale = `the goal asks for ${tool.name}${listed(completed.input)}`;
  const confirm = tool.annotations.destructive ? { confirm: true as const } : {};
  return { ...call(tool.name, completed.input, rationale), then: 'validate', ...confirm };
}

function validate(input: PlanInput, tool: ToolFace): Decision {
  const written = asObject(callsOf(input, tool.name).at(-1)?.output);
  const { path, digest } = written;
  const readable = input.eligibleTools.some(({ name }) => name === READ_BACK);
  if (typeof path !== 'string' || typeof digest !== 'string' || !readable) return finishWith(input, tool);
  return readBack(input, path, digest) ?? finishWith(input, tool);
}

/** The step that verifies the content of a written file; undefined when it is verified. */
export function readBack(input: PlanInput, path: string, digest: string): Decision | undefined {
  const read = input.evidence.findLast(({ state, tool }) => state === 'validate' && tool === READ_BACK);
  if (read === undefined)
    return call(READ_BACK, { path, max_bytes: 1 }, `the digest of ${path} shows whether the write succeeded`);
  if (read.failure) return failWith(read);
  if (asObject(read.output)['digest'] === digest) return undefined;
  const reason = `${path} does not have the written content; another process may have changed it. Try again.`;
  return fail('agent.not_validated', reason, 'the digests differ');
}

function finishWith(input: PlanInput, tool: ToolFace): Decision {
  const last = callsOf(input, tool.name).at(-1);
  if (last === undefined) return goTo('explore', `${tool.name} has not been called yet`);
  return { kind: 'finish', output: last.output ?? null, rationale: `${tool.name} did what the goal asks` };
}

type Completed = { readonly input: JsonObject } | { readonly decision: Decision };

/** The tool's input from the goal and from answers, or the step that asks for a missing parameter. */
function complete(input: PlanInput, { tool, ...filled }: ChosenTool<ToolFace>): Completed {
  const values: { [name: string]: Json } = { ...filled.input };
  for (const parameter of filled.missing) {
    const question = `${tool.name} needs "${parameter.name}"${parameter.description ? `: ${parameter.description}` : ''}. What should it be?`;
    const answer = answerTo(input, question);
    if (answer === undefined) {
      const options = parameter.role === 'flag' ? YES_OR_NO : parameter.choices;
      const why = `the goal does not say "${parameter.name}", which ${tool.name} needs`;
      return { decision: ask(question, why, options.length > 0 ? options : undefined) };
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

function listed(input: JsonObject): string {
  const values = Object.entries(input).map(([name, value]) => `${name} ${shorten(canonicalJson(value))}`);
  return values.length === 0 ? '' : ` with ${values.join(', ')}`;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
}
