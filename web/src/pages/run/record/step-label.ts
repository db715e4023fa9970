// Owns: what a step is called, from its recorded input. Pure.

import { bodyOf, type Fields, type RunEvent, type Step } from './types.ts';

const MAX = 80;

/** What the tools do, and the field of their input that tells with what. */
const WORDS: Readonly<Record<string, readonly [verb: string, field: string]>> = {
  'files.read': ['read', 'path'],
  'files.list': ['list', 'path'],
  'files.search': ['search', 'query'],
  'files.write': ['write', 'path'],
  'procedures.write': ['write', 'path'],
  'files.edit': ['edit', 'path'],
  'files.move': ['move', 'from'],
  'files.delete': ['delete', 'path'],
  'files.survey': ['survey', 'path'],
  'files.copy': ['copy', 'from'],
  'files.move_many': ['move', 'from'],
  'files.delete_many': ['delete', 'paths'],
  'files.make_folders': ['create folders', 'paths'],
  'files.merge': ['merge into', 'to'],
  'files.archive': ['pack into', 'to'],
  'files.unpack': ['unpack', 'path'],
  'process.run': ['run', 'argv'],
  'http.fetch': ['fetch', 'url'],
  'memory.recall': ['recall', 'query'],
  'memory.remember': ['remember', 'text'],
  'skills.read': ['read the skill', 'skill'],
  'graph.run': ['run the graph', 'graph'],
  'environment.install': ['install', 'package'],
  'state.read': ['read the value', 'key'],
  'state.write': ['store the value', 'key'],
  'chat.send': ['send to', 'conversation'],
  'engine.wait_event': ['wait for', 'event'],
};

/** Its recorded input: what the person approved, if they changed it. */
export function inputOf(step: Step): unknown {
  for (const event of step.events.toReversed()) {
    const body = bodyOf(event);
    const input = body['input'] ?? body['arguments'];
    if (input !== undefined) return input;
  }
  return undefined;
}

const labels = new WeakMap<RunEvent, string>();

/** Cached by event, because folding makes the steps anew. */
export function stepLabel(step: Step): string {
  const event = step.events.findLast(({ type }) => DECIDES.has(type)) ?? step.events.at(-1);
  if (event === undefined) return step.state;
  const known = labels.get(event);
  if (known !== undefined) return known;
  const label = clip(describe(step, event));
  labels.set(event, label);
  return label;
}

const DECIDES = new Set([
  'step.completed',
  'tool.intended',
  'tool.pending',
  'approval.requested',
  'question.asked',
  'run.completed',
  'run.failed',
]);

function describe(step: Step, event: RunEvent): string {
  const body = bodyOf(event);
  switch (step.decision) {
    case 'transition':
      if (body['model'] !== undefined) return describeThought(body['model'] as Fields);
      return `go to ${String((event.data as Fields)['to'] ?? step.state)}`;
    case 'ask_human':
      return String(body['question'] ?? 'ask a person');
    case 'finish':
      return 'finish';
    case 'fail':
      return 'give up';
    case 'wait':
      return `wait for ${step.segments.at(-1)?.what ?? 'its turn'}`;
    default:
      return describeCall(step.tool ?? step.state, (inputOf(step) ?? {}) as Fields);
  }
}

/** What a model said, or that it was asked. */
function describeThought(model: Fields): string {
  const said = ((model['response'] ?? {}) as Fields)['text'];
  return typeof said === 'string' && said.trim() !== '' ? said : `ask ${String(model['model'])}`;
}

function describeCall(tool: string, input: Fields): string {
  if (tool === 'engine.run_children') return 'run child runs';
  const [verb, field] = WORDS[tool] ?? [tool, 'path'];
  const value = input[field];
  const target = Array.isArray(value) ? value.join(' ') : typeof value === 'string' ? value : '';
  return target === '' ? (WORDS[tool] === undefined ? tool : verb) : `${verb} ${target}`;
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX ? `${line.slice(0, MAX)}…` : line;
}
