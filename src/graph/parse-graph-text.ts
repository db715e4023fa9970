import type { Json } from '../kernel/index.ts';
import type { DiagnosticCode } from './diagnostic-codes.ts';
import { jsonPath } from './json-path.ts';
import { type JsonProblem, scanJson } from './scan-json.ts';
import type { Diagnostic } from './types.ts';

const BYTE_ORDER_MARK = '\uFEFF';

const CODES: { readonly [kind in JsonProblem['kind']]: DiagnosticCode } = {
  syntax: 'graph.not_json',
  duplicate_key: 'graph.duplicate_key',
  refused_key: 'graph.refused_key',
};

const SUGGESTIONS: { readonly [kind in JsonProblem['kind']]: string } = {
  syntax: 'Correct the text there.',
  duplicate_key: 'Keep one of them.',
  refused_key: 'Choose another key.',
};

/** A definition as written, or why the text holds none. Exactly one of the two says something. */
export interface ParsedGraphText {
  readonly definition?: Json;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the text of a graph file. Says line and column of what is wrong, and refuses keys that JSON would pass over. */
export function parseGraphText(text: string): ParsedGraphText {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const problems = scanJson(body);
  if (problems.length === 0) return { definition: JSON.parse(body) as Json, diagnostics: [] };
  return { diagnostics: problems.map((problem) => toDiagnostic(problem, body)) };
}

function toDiagnostic({ kind, offset, path, message }: JsonProblem, text: string): Diagnostic {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return {
    code: CODES[kind],
    path: kind === 'syntax' ? '$' : jsonPath(path),
    message: `line ${line}, column ${column}: ${message}.`,
    suggestion: SUGGESTIONS[kind],
    severity: 'error',
    line,
    column,
  };
}
