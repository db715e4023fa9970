/** Excludes words, e-mail addresses and doubled signs. */
const MENTION = /(?<![\p{L}\p{N}\p{M}_.+@/-])@(?<name>[\p{L}\p{N}\p{M}_-]+)(?![\p{L}\p{N}\p{M}_@-])/gu;

/** Returns the mentioned names, each once, in order. @names inside code and e-mail addresses are ignored. */
export function mentionsIn(text: string): readonly string[] {
  if (!text.includes('@')) return [];
  const found = withoutCode(text.normalize('NFC')).matchAll(MENTION);
  return [...new Set([...found].map((match) => match.groups?.['name'] as string))];
}

/** The agents to notify, and mentioned names that do not exist. */
export interface Addressed {
  readonly agents: readonly string[];
  readonly unknown: readonly string[];
}

interface KnownNames {
  readonly person: string;
  readonly agents: ReadonlySet<string>;
  /** The participants of the conversation. */
  readonly present: readonly string[];
}

const EVERYBODY = 'all';

/** Resolves the mentions of a message. `@all` counts only from a person and means all participants. */
export function addressed(text: string, from: string, known: KnownNames): Addressed {
  const agents = new Set<string>();
  const unknown = new Set<string>();
  for (const name of mentionsIn(text)) {
    if (name === from || name === known.person) continue;
    if (known.agents.has(name)) agents.add(name);
    else if (name !== EVERYBODY) unknown.add(name);
    else if (from === known.person)
      for (const one of known.present) if (known.agents.has(one)) agents.add(one);
  }
  return { agents: [...agents], unknown: [...unknown] };
}

// The functions below run in linear time, because anybody can write a message.
const FENCE = /^ {0,3}(?<fence>`{3,}|~{3,})(?<info>.*)$/su;
const BLANK_LINE = /\n[ \t\r]*\n/u;

/** Removes what Markdown shows as code: fenced blocks, also unclosed ones, and inline code. */
function withoutCode(text: string): string {
  return withoutFences(text).split(BLANK_LINE).map(withoutSpans).join('\n\n');
}

function withoutFences(text: string): string {
  const lines: string[] = [];
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const { fence, info = '' } = FENCE.exec(line)?.groups ?? {};
    if (open === undefined) {
      // Three backticks followed by more on the same line are inline code.
      if (fence !== undefined && !(fence.startsWith('`') && info.includes('`'))) {
        open = fence;
        lines.push('', '');
      } else lines.push(line);
    } else if (fence?.startsWith(open) && info.trim() === '') open = undefined;
  }
  return lines.join('\n');
}

interface Ticks {
  readonly at: number;
  readonly length: number;
}

/** Backticks start code only if a run of the same length closes it within the paragraph. */
function withoutSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/gu)].map(
    ({ index, 0: ticks }): Ticks => ({ at: index, length: ticks.length }),
  );
  const next = followersOf(runs);
  let output = '';
  let from = 0;
  for (let i = 0; i < runs.length; i++) {
    const { at } = runs[i] as Ticks;
    const end = isEscaped(paragraph, at) ? undefined : next[i];
    if (end === undefined) continue;
    const { at: endAt, length } = runs[end] as Ticks;
    output += `${paragraph.slice(from, at)} `;
    from = endAt + length;
    i = end;
  }
  return output + paragraph.slice(from);
}

/** For each run of backticks, the index of the next run of the same length. */
function followersOf(runs: readonly Ticks[]): readonly (number | undefined)[] {
  const latest = new Map<number, number>();
  const next = new Array<number | undefined>(runs.length);
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length } = runs[i] as Ticks;
    next[i] = latest.get(length);
    latest.set(length, i);
  }
  return next;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}
