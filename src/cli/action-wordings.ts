// Owns: what a tool call did, in the words of a person.
import type { Json } from '../api/index.ts';
import { clip, showDuration } from './format.ts';
import type { Fields } from './timeline.ts';

/** A tool call that has ended. */
export interface Action {
  readonly tool: string;
  readonly input: Fields;
  readonly output: Fields;
  /** Only of calls with an effect. */
  readonly tookMs?: number;
  readonly failure?: string;
  /** It was stopped with its run, so it may have done part of its work. */
  readonly isStopped?: true;
  readonly change?: LineChange;
}

export interface LineChange {
  readonly added: number;
  readonly removed: number;
  /** The changed lines, each with `+` or `-` in front. */
  readonly lines: readonly string[];
}

interface Wording {
  readonly one: (action: Action) => string;
  /** Several calls in a row; without it each has a line of its own. */
  readonly many?: (actions: readonly Action[]) => string;
}

const MAX_TARGET = 60;

const WORDINGS: Readonly<Record<string, Wording>> = {
  'files.read': {
    one: ({ input }) => `read ${target(input['path'])}`,
    many: (actions) => countPaths('read', actions, 'file'),
  },
  'files.list': {
    one: ({ input }) => `listed ${target(input['path'] ?? '.')}`,
    many: (actions) => countPaths('listed', actions, 'folder'),
  },
  'files.search': {
    one: (action) => `searched for ${searchOf(action)} (${count(matchesOf(action), 'match', 'matches')})`,
    many: (actions) => {
      const matches = actions.reduce((sum, action) => sum + matchesOf(action), 0);
      return `searched for ${distinct(actions, 'query')} (${count(matches, 'match', 'matches')})`;
    },
  },
  'files.write': { one: ({ input, change }) => `wrote ${target(input['path'])}${showChange(change)}` },
  'files.edit': { one: ({ input, change }) => `edited ${target(input['path'])}${showChange(change)}` },
  'files.move': { one: ({ input }) => `moved ${target(input['from'])} to ${target(input['to'])}` },
  'files.delete': { one: ({ input }) => `deleted ${target(input['path'])}` },
  'process.run': { one: (action) => `ran ${target(words(action.input['argv']))}${showEnd(action)}` },
  'http.fetch': {
    one: ({ input, output }) => `fetched ${target(input['url'])}${suffix(output['status'])}`,
    many: (actions) => `fetched ${count(actions.length, 'address', 'addresses')}`,
  },
  'model.complete': { one: (action) => `asked ${modelOf(action)}${suffix(durationOf(action))}` },
  'model.choose': { one: (action) => `asked ${modelOf(action)}${suffix(durationOf(action))}` },
  'memory.recall': { one: ({ input }) => `searched memory for ${target(input['query'])}` },
  'memory.remember': { one: ({ input }) => `remembered ${target(input['text'])}` },
  'memory.forget': { one: () => 'erased a fact from memory' },
  'skills.read': { one: ({ input }) => `read the skill ${target(input['skill'])}` },
  'graph.run': { one: ({ input }) => `ran the graph ${target(input['graph'])}` },
  'environment.install': { one: ({ input }) => `installed ${target(input['package'])}` },
  'state.read': { one: ({ input }) => `read the value ${target(input['key'])}` },
  'state.write': { one: ({ input }) => `stored the value ${target(input['key'])}` },
  'chat.send': { one: ({ input }) => `sent a message to ${target(input['conversation'])}` },
  'assistant.check': { one: () => 'checked the criteria' },
  'engine.wait': { one: () => 'waited' },
  'engine.wait_event': { one: ({ input }) => `received the event ${target(input['event'])}` },
  'engine.run_children': { one: ({ input }) => `ran ${count(lengthOf(input['children']), 'child run')}` },
};

/** Whether calls of this tool in a row share a line. */
export function isCounted(tool: string): boolean {
  return WORDINGS[tool]?.many !== undefined;
}

/** What a call that runs is doing, such as "running npm test". */
export function describeRunning({ tool, input }: Pick<Action, 'tool' | 'input'>): string {
  if (tool === 'process.run') return `running ${target(words(input['argv']))}`;
  if (tool === 'http.fetch') return `fetching ${target(input['url'])}`;
  return `working (${clip(tool, MAX_TARGET)})`;
}

/** One line for calls of one tool. */
export function describeActions(actions: readonly Action[]): string {
  const [first] = actions as [Action, ...Action[]];
  const wording = WORDINGS[first.tool];
  if (first.failure !== undefined) return `${describeCall(first)} failed`;
  if (wording === undefined) return `called ${clip(first.tool, MAX_TARGET)}`;
  return actions.length > 1 && wording.many ? wording.many(actions) : wording.one(first);
}

const TARGETS = ['path', 'url', 'query', 'graph', 'key', 'name'];

/** A call by its tool and what it is about, such as "files.read a.md"; a program by its command. */
export function describeCall({ tool, input }: Pick<Action, 'tool' | 'input'>): string {
  if (tool === 'process.run') return target(words(input['argv']));
  const name = TARGETS.find((one) => input[one] !== undefined);
  return name === undefined ? tool : `${tool} ${target(input[name])}`;
}

function target(value: Json | undefined): string {
  return value === undefined
    ? ''
    : clip(typeof value === 'string' ? value : JSON.stringify(value), MAX_TARGET);
}

function words(argv: Json | undefined): string {
  return Array.isArray(argv) ? argv.map(String).join(' ') : '';
}

export function count(amount: number, noun: string, nouns = `${noun}s`): string {
  return `${amount} ${amount === 1 ? noun : nouns}`;
}

/** The same path read twice is one file. */
function countPaths(verb: string, actions: readonly Action[], noun: string): string {
  const paths = new Set(actions.map(({ input }) => String(input['path'] ?? '.')));
  return paths.size === 1 ? `${verb} ${target([...paths][0])}` : `${verb} ${count(paths.size, noun)}`;
}

function distinct(actions: readonly Action[], name: string): string {
  return target([...new Set(actions.map(({ input }) => String(input[name] ?? '')))].join(', '));
}

function matchesOf({ output }: Action): number {
  return lengthOf(output['matches']);
}

function searchOf({ input }: Action): string {
  const path = input['path'];
  const where = path === undefined || path === '.' ? '' : ` in ${target(path)}`;
  return `${target(input['query'])}${where}`;
}

function showChange(change: LineChange | undefined): string {
  if (change === undefined) return '';
  if (change.added === 0 && change.removed === 0) return ' (unchanged)';
  return ` +${change.added}${change.removed === 0 ? '' : ` −${change.removed}`}`;
}

function durationOf({ tookMs }: Action): string | undefined {
  return tookMs === undefined ? undefined : showDuration(tookMs);
}

function showEnd(action: Action): string {
  const { exitCode, signal } = action.output;
  const end =
    typeof signal === 'string'
      ? signal
      : exitCode === 0 || exitCode === undefined
        ? ''
        : `exit ${String(exitCode)}`;
  return suffix([durationOf(action) ?? '', end].filter((part) => part !== '').join(', '));
}

function suffix(what: Json | undefined): string {
  return what === undefined || what === null || what === '' ? '' : ` (${String(what)})`;
}

function modelOf({ input, output }: Action): string {
  const model = output['model'] ?? input['model'];
  return typeof model === 'string' ? target(model) : 'the model';
}

function lengthOf(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}
