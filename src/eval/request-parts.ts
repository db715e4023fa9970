import {
  asObject,
  type Digest,
  digestOf,
  digestOfJson,
  type Json,
  type JsonObject,
} from '../kernel/index.ts';
import { diffLines } from './diff-values.ts';
import type { RequestParts } from './eval-case.ts';

/** Describes a request by the digests of its parts. The system prompt becomes a blob, to show how it changed. */
export function describeRequest(
  request: Json,
  digest: string,
  addBlob: (text: string) => string,
): RequestParts {
  const { system, messages, tools, purpose: _, model: __, ...rest } = asObject(request);
  return {
    digest,
    ...(typeof system === 'string' ? { system: addBlob(system) } : {}),
    messages: listOf(messages).map(digestOfJson),
    tools: Object.fromEntries(listOf(tools).map((tool) => [nameOf(tool), digestOfJson(tool)])),
    rest: digestOfJson(rest),
  };
}

/** What is different between two requests, in words; empty if they are the same. */
export function requestChanges(
  expected: RequestParts,
  actual: RequestParts,
  textOf: (digest: Digest) => string | undefined,
): readonly string[] {
  const changes: string[] = [];
  if (expected.system !== actual.system) {
    const [before = '', after = ''] = [expected.system, actual.system].map((digest) =>
      digest === undefined ? '' : textOf(digest as Digest),
    );
    changes.push('the system prompt', ...diffLines(before, after));
  }
  changes.push(...toolChanges(expected.tools, actual.tools));
  for (let i = 0; i < Math.max(expected.messages.length, actual.messages.length); i++)
    if (expected.messages[i] !== actual.messages[i]) changes.push(`message ${i + 1} of the request`);
  if (expected.rest !== actual.rest) changes.push('the output schema or the temperature');
  return changes;
}

function toolChanges(expected: RequestParts['tools'], actual: RequestParts['tools']): string[] {
  const changes: string[] = [];
  for (const [name, digest] of Object.entries(expected)) {
    if (actual[name] === undefined) changes.push(`the tool ${name} is no longer offered`);
    else if (actual[name] !== digest) changes.push(`the description or the schema of the tool ${name}`);
  }
  for (const name of Object.keys(actual))
    if (expected[name] === undefined) changes.push(`the tool ${name} is offered now`);
  return changes;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function nameOf(tool: Json): string {
  return String((tool as JsonObject)['name']);
}

export function digestOfText(text: string): string {
  return digestOf(text);
}
