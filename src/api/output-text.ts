import type { Json } from '../kernel/index.ts';

type Members = Readonly<Record<string, Json>>;

const MAX_CELL_LENGTH = 80;
const FIRST_COLUMNS = ['id', 'name', 'title', 'path', 'line'];

/** Formats the output of a run: text unchanged, a list as lines, rows as a table. */
export function outputText(output: Json): string {
  if (typeof output === 'string') return output.trimEnd();
  return (knownText(output) ?? plainLines(output).join('\n')).trimEnd();
}

/** Outputs that contain a text for users. */
function knownText(output: Json): string | undefined {
  if (!isObject(output)) return undefined;
  const { report, checks, content, path, tasks, result } = output;
  if (Array.isArray(checks) && typeof report === 'string') return report;
  if (typeof content === 'string' && typeof path === 'string') return content;
  if (Array.isArray(tasks) && tasks.every(isTask) && result !== undefined) return tasksText(tasks, output);
  return writtenText(output);
}

/** A written file, with its counts. */
function writtenText({ note, brief, bytes, digest, checks, leftOut, ...facts }: Members): string | undefined {
  const file = note ?? brief;
  if (typeof file !== 'string' || typeof bytes !== 'number' || digest === undefined) return undefined;
  const counts = Object.entries(facts)
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${wordsOf(name)} ${String(value)}`);
  const left = Array.isArray(leftOut) ? leftOut.map((what) => `left out: ${flat(what)}`) : [];
  return [`wrote ${file}, ${bytes} bytes${counts.length > 0 ? ` (${counts.join(', ')})` : ''}`, ...left].join(
    '\n',
  );
}

interface Task {
  readonly title: string;
  readonly status: string;
  readonly output?: Json;
}

function isTask(value: Json): boolean {
  return isObject(value) && typeof value['title'] === 'string' && typeof value['status'] === 'string';
}

function tasksText(tasks: readonly Json[], { unmet }: Members): string {
  const shown = (tasks as unknown as readonly Task[]).map(({ title, status, output }) => {
    const text = output === undefined || output === null ? '' : `\n${indented(outputText(output))}`;
    return `${status}: ${title}${text}`;
  });
  const open = Array.isArray(unmet) && unmet.length > 0 ? [['not met', ...plainLines(unmet)].join('\n')] : [];
  return [...shown, ...open].join('\n\n');
}

function plainLines(value: Json): readonly string[] {
  if (Array.isArray(value)) return listLines(value);
  return isObject(value) ? memberLines(value) : String(value).split('\n');
}

/** Short members first. Omits empty members, unless all are empty, and `truncated: false`. */
function memberLines(members: Members): readonly string[] {
  const entries = Object.entries(members).filter(([name, value]) => name !== 'truncated' || value !== false);
  const long = entries.filter(([, value]) => !isShort(value) && !isEmpty(value));
  const short = entries.flatMap(([name, value]) => {
    if (isShort(value)) return [[name, value] as const];
    return isEmpty(value) && long.length === 0 ? [[name, 'none'] as const] : [];
  });
  const width = Math.max(0, ...short.map(([name]) => wordsOf(name).length));
  return [
    ...short.map(([name, value]) => `${wordsOf(name).padEnd(width)}  ${String(value)}`),
    ...long.flatMap(([name, value]) => [
      wordsOf(name),
      ...(knownText(value)?.trimEnd().split('\n') ?? plainLines(value)).map((line) => `  ${line}`),
    ]),
  ];
}

function listLines(values: readonly Json[]): readonly string[] {
  if (values.length > 0 && values.every((value) => isObject(value) && Object.values(value).every(isShort)))
    return tableLines(values as readonly Members[]);
  return values.flatMap((value) => {
    const [first = '', ...rest] = isShort(value) ? [String(value)] : plainLines(value);
    return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
  });
}

function tableLines(rows: readonly Members[]): readonly string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = [
    ...FIRST_COLUMNS.filter((name) => names.includes(name)),
    ...names.filter((name) => !FIRST_COLUMNS.includes(name)),
  ];
  const cells = [columns.map(wordsOf), ...rows.map((row) => columns.map((name) => cellOf(row[name])))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function cellOf(value: Json | undefined): string {
  const text = value === undefined || value === null ? '' : flat(value);
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1).toWellFormed()}…` : text;
}

function flat(value: Json): string {
  return String(value).replaceAll(/\s+/g, ' ').trim();
}

/** `wastedBytes` and `wasted_bytes` are two words. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function isShort(value: Json): boolean {
  return value === null || (typeof value === 'string' ? !value.includes('\n') : typeof value !== 'object');
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isObject(value: Json): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
