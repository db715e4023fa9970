// Owns: what a person is shown about a call that contacts a host. Pure. Does not own: how it is printed.
import { asObject, type Json } from '../kernel/index.ts';
import { hostsReachedBy } from './middleware/judge-call.ts';
import type { RunState } from './run-state.ts';
import { effectOf, type ToolFace } from './tool.ts';
import type { Evidence } from './types.ts';

const MAX_SHOWN_LENGTH = 160;
const MAX_SHOWN_READS = 6;
const MAX_READ_LENGTH = 60;
/** The input fields that tell what a call read. */
const SUBJECTS = ['path', 'paths', 'file', 'url', 'query', 'key', 'id', 'name', 'graph', 'argv'];

/** Where a call goes, what it would send, and what the run has read before; empty for a call that contacts no host. */
export function requestFacts(run: Readonly<RunState>, tool: ToolFace, input: Json): readonly string[] {
  const hosts = hostsReachedBy(tool, input);
  if (hosts.length === 0) return [];
  const { method = tool.name, url } = effectOf(tool, input);
  const { body } = asObject(input);
  const path = url !== undefined && URL.canParse(url) ? pathOf(new URL(url)) : undefined;
  const sent = path === undefined ? JSON.stringify(input) : `${path}${typeof body === 'string' ? body : ''}`;
  const content =
    typeof body === 'string' && path !== undefined ? `; body: ${shortened(body, MAX_SHOWN_LENGTH)}` : '';
  return [
    `host ${hosts.join(', ')}`,
    `sends ${Buffer.byteLength(sent)} bytes: ${method} ${shortened(path ?? sent, MAX_SHOWN_LENGTH)}${content}`,
    `this run has read ${describeReads(run.evidence)}`,
  ];
}

function pathOf({ pathname, search }: URL): string {
  return `${pathname}${search}`;
}

/** The newest first. */
function describeReads(evidence: readonly Evidence[]): string {
  const reads = [...new Set(evidence.toReversed().flatMap(describeRead))];
  if (reads.length === 0) return 'nothing';
  const more = reads.length > MAX_SHOWN_READS ? ` and ${reads.length - MAX_SHOWN_READS} more` : '';
  return `${reads.slice(0, MAX_SHOWN_READS).join(', ')}${more}`;
}

function describeRead({ source, tool, input, output }: Evidence): readonly string[] {
  if (tool === undefined || output === undefined) return [];
  if (source === 'tool') return [`${tool} ${subjectOf(input ?? null)}`.trim()];
  if (source !== 'recall') return [];
  const { items } = asObject(output);
  if (!Array.isArray(items)) return [];
  const kinds = items.map((item) => String(asObject(item)['kind']));
  return [...new Set(kinds)].map((kind) => `${kinds.filter((one) => one === kind).length} × ${kind}`);
}

function subjectOf(input: Json): string {
  const fields = asObject(input);
  const found = SUBJECTS.map((name) => fields[name]).find((value) => value !== undefined);
  if (found === undefined) return '';
  return shortened(Array.isArray(found) ? found.join(' ') : String(found), MAX_READ_LENGTH);
}

function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length} characters)`;
}
