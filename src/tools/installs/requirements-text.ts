// Owns: the text of INSTALL_REQUIREMENTS.md. Does not own: the file.
// I1 No text of a person is lost: only the status of an entry changes, and lines are added.
// I2 Each dependency has one entry.
import type { Token, Tokens } from 'marked';

type RequirementStatus = 'open' | 'resolved';

/** A dependency that a person must install. */
export interface Requirement {
  /** The name of a program or a library. */
  readonly dependency: string;
  /** The run that failed, in one line. */
  readonly task: string;
  readonly evidence: string;
  readonly snippet: string;
}

/** An entry of the file. */
export interface RequirementEntry {
  readonly dependency: string;
  readonly status: RequirementStatus;
  readonly tasks: readonly string[];
}

interface Section extends RequirementEntry {
  readonly start: number;
  readonly end: number;
}

const STATUS = /^([-*+] +\**status\**: *\**)(open|resolved)\b/im;
const TASK = /^[-*+] +\**blocking task\**: *(.*)$/gim;
const MAX_TASKS = 5;

const HEAD = `# Install requirements

These dependencies need root, so Oka could not install them. Add the suggested lines to your image, or install them on the
machine. Oka adds entries and marks them resolved. You can edit the rest of this file.
`;

/** Adds an open entry for the requirement, or returns the same text if it has one. */
export async function addRequirement(given: string | undefined, requirement: Requirement): Promise<string> {
  const text = given?.trim() ? given : HEAD;
  const section = (await sectionsOf(unixText(text))).find(
    ({ dependency }) => dependency === requirement.dependency,
  );
  return edit(text, (unix) => {
    if (section === undefined) return `${unix.trimEnd()}\n\n${entryText(requirement)}`;
    const before = unix.slice(section.start, section.end);
    const after = withTask(withStatus(before, 'open'), requirement.task);
    return unix.slice(0, section.start) + after + unix.slice(section.end);
  });
}

/** Marks the entries of these dependencies as resolved. */
export async function resolveRequirements(text: string, dependencies: ReadonlySet<string>): Promise<string> {
  const sections = await sectionsOf(unixText(text));
  return edit(text, (unix) =>
    sections
      .filter(({ dependency }) => dependencies.has(dependency))
      .reduceRight((result, { start, end }) => {
        const resolved = withStatus(result.slice(start, end), 'resolved');
        return result.slice(0, start) + resolved + result.slice(end);
      }, unix),
  );
}

/** The entries of a file, without other text. */
export async function listRequirements(text: string): Promise<readonly RequirementEntry[]> {
  return (await sectionsOf(unixText(text))).map(({ start: _, end: __, ...entry }) => entry);
}

/** Formats a text as inline code, whatever backticks it contains. */
export function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

function entryText({ dependency, task, evidence, snippet }: Requirement): string {
  return `## ${dependency}

- status: open
- blocking task: ${task}

Failure evidence:

${block('text', evidence)}

Suggested Dockerfile snippet:

${block('dockerfile', snippet)}
`;
}

function block(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function withStatus(section: string, status: RequirementStatus): string {
  return section.replace(STATUS, (_, before: string) => `${before}${status}`);
}

function withTask(section: string, task: string): string {
  const tasks = [...section.matchAll(TASK)];
  const last = tasks.at(-1);
  if (tasks.length >= MAX_TASKS || tasks.some(([, known]) => known?.trim() === task)) return section;
  const status = STATUS.exec(section);
  // Another bullet character would start another list.
  const bullet = status?.[0][0] ?? '-';
  const at = last ? last.index + last[0].length : endOfLine(section, status?.index ?? 0);
  return `${section.slice(0, at)}\n${bullet} blocking task: ${task}${section.slice(at)}`;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The entries: a second-level heading with a list that has a status. */
async function sectionsOf(text: string): Promise<readonly Section[]> {
  const { lexer } = await import('marked');
  const sections: Section[] = [];
  let open: { dependency: string; start: number; tokens: Token[] } | undefined;
  let at = 0;
  const close = (end: number): void => {
    const section = open && toSection(open, end, text);
    if (section && !sections.some(({ dependency }) => dependency === section.dependency))
      sections.push(section);
    open = undefined;
  };
  for (const token of lexer(text)) {
    if (token.type === 'heading' && (token as Tokens.Heading).depth <= 2) {
      close(at);
      const { depth, text: dependency } = token as Tokens.Heading;
      if (depth === 2) open = { dependency: dependency.trim(), start: at, tokens: [] };
    } else open?.tokens.push(token);
    at += token.raw.length;
  }
  close(at);
  return sections;
}

function toSection(
  { dependency, start, tokens }: { dependency: string; start: number; tokens: readonly Token[] },
  end: number,
  text: string,
): Section | undefined {
  const list = tokens.find(({ type, raw }) => type === 'list' && STATUS.test(raw));
  const status = list && STATUS.exec(list.raw)?.[2]?.toLowerCase();
  if (list === undefined || status === undefined) return undefined;
  // The entry consists of heading and list; text after it may be a person's.
  const listEnd = text.indexOf(list.raw, start) + list.raw.length;
  const tasks = [...list.raw.matchAll(TASK)].map(([, task]) => task?.trim() ?? '');
  return { dependency, status: status as RequirementStatus, tasks, start, end: Math.min(end, listEnd) };
}

function unixText(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Edits the text with \\n line ends, then restores the original ones. */
function edit(text: string, change: (unix: string) => string): string {
  const changed = change(unixText(text));
  return text.includes('\r\n') ? changed.replaceAll('\n', '\r\n') : changed;
}
