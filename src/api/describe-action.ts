// Owns: what a tool call did, in the words of a person. Pure, and without imports: the web app uses it too.

type Fields = Readonly<Record<string, unknown>>;

/** How a face writes parts of a line. */
export interface ActionFormats {
  /** Cuts a text to one line of the given width in columns. */
  readonly clip: (text: string, columns: number) => string;
  readonly duration: (ms: number) => string;
}

/** A tool call that has ended. */
export interface Action {
  readonly tool: string;
  /** Undefined if only the end of the call was seen. */
  readonly input: Fields | undefined;
  readonly output: Fields;
  /** Only of calls with an effect. */
  readonly tookMs?: number;
  readonly failure?: string;
  /** It was not made: `failure` says why. */
  readonly isRefused?: true;
  /** The code of a failure that is an answer. */
  readonly miss?: string;
  /** Where the outcome comes from, if the call was not made now. */
  readonly origin?: Origin;
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

type Origin = 'cache' | 'earlier_run' | 'person' | 'simulation';

const ORIGINS: Readonly<Record<Origin, string>> = {
  cache: 'used the cached result of',
  earlier_run: 'already done by an earlier run, whose result was reused:',
  person: 'done, as a person said:',
  simulation: 'not made:',
};

const MISSES: Readonly<Record<string, string>> = {
  'files.not_found': 'not there',
  'files.not_text': 'not text',
  'files.not_a_file': 'a folder',
  'files.not_a_folder': 'a file',
};

/** What the record of a call says about it besides its input and output. */
export function circumstancesOf(
  record: { readonly cached?: unknown; readonly reused?: unknown; readonly by?: unknown },
  { tool, output }: Pick<Action, 'tool' | 'output'>,
): Pick<Action, 'origin'> {
  if (record.reused !== undefined) return { origin: 'earlier_run' };
  if (record.cached) return { origin: 'cache' };
  if (record.by === 'person') return { origin: 'person' };
  return output['simulated'] === true && output['tool'] === tool ? { origin: 'simulation' } : {};
}

/** An action whose input is known. */
type Known = Action & { readonly input: Fields };

interface Wording {
  readonly one: (action: Known, as: Words) => string;
  /** Several calls in a row; without it each has a line of its own. */
  readonly many?: (actions: readonly Known[], as: Words) => string;
}

const MAX_TARGET = 60;

interface Words extends ActionFormats {
  readonly target: (value: unknown) => string;
}

function wordsOf(formats: ActionFormats): Words {
  const target = (value: unknown): string =>
    value === undefined
      ? ''
      : formats.clip(typeof value === 'string' ? value : JSON.stringify(value), MAX_TARGET);
  return { ...formats, target };
}

const WORDINGS: Readonly<Record<string, Wording>> = {
  'files.read': {
    one: ({ input }, as) => `read ${as.target(input['path'])}`,
    many: (actions, as) => countPaths(as, 'read', actions, 'file'),
  },
  'files.list': {
    one: ({ input }, as) => `listed ${as.target(input['path'] ?? '.')}`,
    many: (actions, as) => countPaths(as, 'listed', actions, 'folder'),
  },
  'files.search': {
    one: (action, as) =>
      `searched for ${searchOf(action, as)} (${count(matchesOf(action), 'match', 'matches')})`,
    many: (actions, as) => {
      const matches = actions.reduce((sum, action) => sum + matchesOf(action), 0);
      return `searched for ${distinct(as, actions, 'query')} (${count(matches, 'match', 'matches')})`;
    },
  },
  'files.write': { one: ({ input, change }, as) => `wrote ${as.target(input['path'])}${showChange(change)}` },
  'procedures.write': {
    one: ({ input, change }, as) => `wrote ${as.target(input['path'])}${showChange(change)}`,
  },
  'files.edit': { one: ({ input, change }, as) => `edited ${as.target(input['path'])}${showChange(change)}` },
  'files.move': { one: ({ input }, as) => `moved ${as.target(input['from'])} to ${as.target(input['to'])}` },
  'files.delete': { one: ({ input }, as) => `deleted ${as.target(input['path'])}` },
  'files.survey': { one: ({ input }, as) => `surveyed ${as.target(input['path'] ?? '.')}` },
  'files.copy': { one: ({ input }, as) => `copied ${severalPaths(as, input['from'])}` },
  'files.move_many': { one: ({ input }, as) => `moved ${severalPaths(as, input['from'])}` },
  'files.delete_many': { one: ({ output }, as) => `deleted ${severalPaths(as, output['paths'])}` },
  'files.make_folders': {
    one: ({ input }, as) => `made sure there is ${severalPaths(as, input['paths'], 'folder')}`,
  },
  'files.merge': {
    one: ({ input }, as) => `merged ${severalPaths(as, input['from'])} into ${as.target(input['to'])}`,
  },
  'files.archive': {
    one: ({ input }, as) => `packed ${severalPaths(as, input['from'])} into ${as.target(input['to'])}`,
  },
  'files.unpack': {
    one: ({ input }, as) => `unpacked ${as.target(input['path'])} into ${as.target(input['to'])}`,
  },
  'process.run': {
    one: (action, as) => `ran ${as.target(words(action.input['argv']))}${showEnd(action, as)}`,
  },
  'http.fetch': {
    one: ({ input, output }, as) => `fetched ${as.target(input['url'])}${suffix(output['status'])}`,
    many: (actions) => `fetched ${count(actions.length, 'address', 'addresses')}`,
  },
  'model.complete': { one: (action, as) => `asked ${modelOf(action, as)}${suffix(durationOf(action, as))}` },
  'model.choose': { one: (action, as) => `asked ${modelOf(action, as)}${suffix(durationOf(action, as))}` },
  'memory.recall': { one: ({ input }, as) => `searched memory for ${as.target(input['query'])}` },
  'memory.remember': {
    one: ({ input, output }, as) =>
      `${output['outcome'] === 'known' ? 'already knew' : 'remembered'} ${as.target(input['text'])}`,
  },
  'memory.facts': { one: () => 'listed the remembered facts' },
  'memory.forget': { one: () => 'erased a fact from memory' },
  'reminders.set': { one: ({ input }, as) => `set a reminder: ${as.target(input['text'])}` },
  'reminders.all': { one: () => 'listed the reminders' },
  'reminders.cancel': {
    one: ({ output }) => `cancelled ${count(lengthOf(output['cancelled']), 'reminder')}`,
  },
  'time.now': { one: () => 'read the clock' },
  'skills.read': { one: ({ input }, as) => `read the skill ${as.target(input['skill'])}` },
  'graph.run': { one: ({ input }, as) => `ran the graph ${as.target(input['graph'])}` },
  'environment.install': {
    one: ({ input, output }, as) =>
      `${output['fresh'] === false ? 'already installed:' : 'installed'} ${as.target(input['package'])}`,
  },
  'state.read': { one: ({ input }, as) => `read the value ${as.target(input['key'])}` },
  'state.write': { one: ({ input }, as) => `stored the value ${as.target(input['key'])}` },
  'chat.send': { one: ({ input }, as) => `sent a message to ${as.target(input['conversation'])}` },
  'assistant.check': { one: () => 'checked the criteria' },
  'engine.wait': { one: () => 'waited' },
  'engine.wait_event': { one: ({ input }, as) => `received the event ${as.target(input['event'])}` },
  'engine.run_children': {
    one: ({ input }) => `ran ${count(lengthOf(input['children']) + lengthOf(input['inputs']), 'child run')}`,
  },
};

/** Whether calls of this tool in a row share a line. */
export function isCounted(tool: string): boolean {
  return WORDINGS[tool]?.many !== undefined;
}

/** Whether two calls in a row share a line. */
export function sharesLine(last: Action, next: Action): boolean {
  return last.tool === next.tool && isCounted(last.tool) && isPlain(last) && isPlain(next);
}

function isPlain({ failure, miss, origin }: Action): boolean {
  return failure === undefined && miss === undefined && origin === undefined;
}

const TARGETS = ['path', 'url', 'query', 'graph', 'key', 'name'];

/** The lines of tool calls as a face writes them. */
export class ActionWordings {
  readonly #words: Words;

  constructor(formats: ActionFormats) {
    this.#words = wordsOf(formats);
  }

  /** What a call that runs is doing, such as "running npm test". */
  running({ tool, input = {} }: Pick<Action, 'tool' | 'input'>): string {
    const { target, clip } = this.#words;
    if (tool === 'process.run') return `running ${target(words(input['argv']))}`;
    if (tool === 'http.fetch') return `fetching ${target(input['url'])}`;
    return `working (${clip(tool, MAX_TARGET)})`;
  }

  /** One line for calls of one tool. */
  actions(actions: readonly Action[]): string {
    const [first] = actions as [Action, ...Action[]];
    const wording = WORDINGS[first.tool];
    if (first.failure !== undefined || first.isRefused)
      return `${this.call(first)} ${first.isRefused ? 'was refused' : 'failed'}`;
    if (first.miss !== undefined) {
      const { path = '.' } = first.input ?? {};
      return `looked for ${this.#words.target(path)}: ${MISSES[first.miss] ?? 'nothing found'}`;
    }
    if (first.origin !== undefined) return `${ORIGINS[first.origin]} ${this.call(first)}`;
    // The input is not recorded, so the line names only the tool.
    if (wording === undefined || first.input === undefined)
      return `called ${this.#words.clip(first.tool, MAX_TARGET)}`;
    return actions.length > 1 && wording.many
      ? wording.many(actions as readonly Known[], this.#words)
      : wording.one(first as Known, this.#words);
  }

  /** A call by its tool and what it is about, such as "files.read a.md"; a program by its command. */
  call({ tool, input = {} }: Pick<Action, 'tool' | 'input'>): string {
    const { target } = this.#words;
    if (tool === 'process.run') return target(words(input['argv']));
    const name = TARGETS.find((one) => input[one] !== undefined);
    return name === undefined ? tool : `${tool} ${target(input[name])}`;
  }
}

function words(argv: unknown): string {
  return Array.isArray(argv) ? argv.map(String).join(' ') : '';
}

export function count(amount: number, noun: string, nouns = `${noun}s`): string {
  return `${amount} ${amount === 1 ? noun : nouns}`;
}

/** The same path read twice is one file. */
function countPaths(as: Words, verb: string, actions: readonly Known[], noun: string): string {
  const paths = new Set(actions.map(({ input }) => String(input['path'] ?? '.')));
  return paths.size === 1 ? `${verb} ${as.target([...paths][0])}` : `${verb} ${count(paths.size, noun)}`;
}

function severalPaths(as: Words, paths: unknown, noun = 'file'): string {
  return Array.isArray(paths) && paths.length === 1 ? as.target(paths[0]) : count(lengthOf(paths), noun);
}

function distinct(as: Words, actions: readonly Known[], name: string): string {
  return as.target([...new Set(actions.map(({ input }) => String(input[name] ?? '')))].join(', '));
}

function matchesOf({ output }: Action): number {
  return lengthOf(output['matches']);
}

function searchOf({ input }: Known, as: Words): string {
  const path = input['path'];
  const where = path === undefined || path === '.' ? '' : ` in ${as.target(path)}`;
  return `${as.target(input['query'])}${where}`;
}

function showChange(change: LineChange | undefined): string {
  if (change === undefined) return '';
  if (change.added === 0 && change.removed === 0) return ' (unchanged)';
  return ` +${change.added}${change.removed === 0 ? '' : ` −${change.removed}`}`;
}

function durationOf({ tookMs }: Action, as: Words): string | undefined {
  return tookMs === undefined ? undefined : as.duration(tookMs);
}

function showEnd(action: Action, as: Words): string {
  const { exitCode, signal } = action.output;
  const end =
    typeof signal === 'string'
      ? signal
      : exitCode === 0 || exitCode === undefined
        ? ''
        : `exit ${String(exitCode)}`;
  return suffix([durationOf(action, as) ?? '', end].filter((part) => part !== '').join(', '));
}

function suffix(what: unknown): string {
  return what === undefined || what === null || what === '' ? '' : ` (${String(what)})`;
}

function modelOf({ input, output }: Known, as: Words): string {
  const model = output['model'] ?? input['model'];
  return typeof model === 'string' ? as.target(model) : 'the model';
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
