// Owns: what a request asks for, in words that every face shows. Pure: the web app uses it too.
// What comes from a model, a tool or a file is in these words as marked text, so that it hides nothing and forges no line.
import { marked, visible } from './foreign-text.ts';

/** The parts of an ApprovalView that say what is asked. */
interface Request {
  readonly kind: 'tool' | 'question' | 'unknown_effect';
  readonly tool?: string;
  readonly arguments?: unknown;
  readonly effect?: string;
  readonly question?: string;
  readonly rule?: string;
}

/** The parts of an ApprovalView that say how it would run. */
interface Asked {
  readonly rule?: string;
  readonly now?: { readonly sandbox?: string };
  readonly known?: readonly string[];
  readonly notRemembered?: string;
}

/** What a request asks a person to allow. */
export interface RequestedAct {
  readonly kind: 'program' | 'file' | 'request' | 'tool' | 'question' | 'unknown_effect';
  /** One line: the command as a shell takes it, the file, the method and URL, or the tool. Or the question. Never cut. */
  readonly what: string;
  /** The folder of a program, relative to the workspace. */
  readonly folder?: string;
  /** What a program may reach. */
  readonly network?: string;
  /** Everything else that changes what the call does, one line each. Never cut. */
  readonly more: readonly string[];
}

/** What a card shows of the arguments; everything else is in `more`. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'process.run': ['argv', 'cwd', 'network'],
  'files.write': ['path'],
  'procedures.write': ['path'],
  'files.edit': ['path'],
  'files.delete': ['path'],
  'files.delete_many': ['unchanged_since'],
  'files.move_many': ['unchanged_since'],
  'http.fetch': ['url', 'method'],
};
/** Values of fields that change nothing: they are the defaults. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  timeout_seconds: 120,
  all: false,
  headers: '{}',
  max_bytes: 1_048_576,
};

/** Lists of paths, which are shown one path a line. */
const PATH_LISTS: readonly string[] = ['paths', 'from', 'to'];

export function describeRequest(request: Request): RequestedAct {
  const { kind, tool = '', effect, question } = request;
  if (kind !== 'tool') return { kind, what: visible(question ?? effect ?? tool), more: [] };
  const given = fieldsOf(request.arguments);
  const more = otherFields(given, SHOWN[tool]);
  const { argv, cwd, network, method, url } = given;
  if (tool === 'process.run' && Array.isArray(argv))
    return {
      kind: 'program',
      what: marked(quoteForShell(argv.map(String))),
      folder: marked(quoteForShell([typeof cwd === 'string' ? cwd : '.'])),
      network: showNetwork(network),
      more,
    };
  if (tool === 'http.fetch' && typeof url === 'string')
    return { kind: 'request', what: marked(`${typeof method === 'string' ? method : 'GET'} ${url}`), more };
  if (tool.startsWith('files.')) return { kind: 'file', what: marked(effect ?? tool), more };
  return { kind: 'tool', what: marked(effect ?? tool), more };
}

/** The same in one line, such as `run git push origin main`. */
export function requestLine(request: Request): string {
  const { kind, what } = describeRequest(request);
  if (kind === 'program')
    return request.rule === 'no_sandbox' ? `run WITHOUT A SANDBOX ${what}` : `run ${what}`;
  if (kind === 'request') return `send ${what}`;
  if (kind === 'unknown_effect')
    return `know the outcome of ${marked(request.effect ?? request.tool ?? 'a call')}`;
  return kind === 'tool' ? `call ${what}` : marked(what);
}

/** The request as a question, such as "Run a program?". */
export function requestTitle(request: Request & Asked): string {
  const { tool = 'a tool' } = request;
  switch (describeRequest(request).kind) {
    case 'program':
      return isWithoutSandbox(request) ? 'Run a program WITHOUT A SANDBOX?' : 'Run a program?';
    case 'file':
      return `${FILE_VERBS[tool.slice('files.'.length)] ?? 'Change a file'}?`;
    case 'request':
      return 'Send a request?';
    case 'question':
      return 'A run asks';
    case 'unknown_effect':
      return 'The outcome of a call is unknown';
    case 'tool':
      return `Call ${marked(tool)}?`;
  }
}

const FILE_VERBS: Readonly<Record<string, string>> = {
  write: 'Write a file',
  edit: 'Edit a file',
  delete: 'Delete a file',
  move: 'Move a file',
  copy: 'Copy files',
  move_many: 'Move files',
  delete_many: 'Delete files',
  make_folders: 'Create folders',
  merge: 'Merge files',
  archive: 'Create an archive',
  unpack: 'Unpack an archive',
};

export function isWithoutSandbox({ now, rule }: Asked): boolean {
  return now?.sandbox === 'none' || rule === 'no_sandbox';
}

const NOT_REMEMBERED = 'Not remembered: ';

/** Why an approval of this call cannot be remembered; undefined if it can. */
export function whyNotRemembered({ rule, known = [], notRemembered }: Asked): string | undefined {
  if (rule === 'no_sandbox') return 'programs run without a sandbox';
  const fact = known.find((one) => one.startsWith(NOT_REMEMBERED));
  return notRemembered ?? fact?.slice(NOT_REMEMBERED.length);
}

/** The words of a command, quoted where a POSIX shell needs it. */
export function quoteForShell(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** `shown`: what the card shows already, of a tool whose defaults are known. */
function otherFields(given: Readonly<Record<string, unknown>>, shown?: readonly string[]): readonly string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    if (shown?.includes(key) || value === undefined) return [];
    const name = /^[\w.-]+$/.test(key) ? key : marked(JSON.stringify(key));
    if (PATH_LISTS.includes(key) && isTexts(value)) return value.map((path) => `${name}: ${marked(path)}`);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return shown && key in DEFAULTS && String(DEFAULTS[key]) === text ? [] : [`${name}: ${marked(text)}`];
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function showNetwork(network: unknown): string {
  const { hosts } = fieldsOf(network);
  if (Array.isArray(hosts)) return marked(hosts.map((host) => quoteForShell([String(host)])).join(', '));
  return network === true ? 'everything' : 'none';
}
