import { type MatchToken, UnreadableMatch } from './tokenise-match.ts';

const FAMILY = /^[a-z0-9_*-]+(\.[a-z0-9_*-]+)*$/;
const HOST = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\[[0-9a-f:.]+\]$/;
const REFUSED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Checks the name of a tool or a family of tools. */
export function checkFamily({ text, quoted, column }: MatchToken): void {
  const expected = 'expected a tool or a family of tools, as in files.write, files.* or *';
  if (quoted || !FAMILY.test(text))
    throw new UnreadableMatch(column, `"${text}" is no name of tools; ${expected}`);
  if (text.includes('**'))
    throw new UnreadableMatch(
      column + text.indexOf('**'),
      `"**" in the name of a family; expected a single *, which also matches dots`,
    );
}

/** Checks a path of the workspace or a path pattern. */
export function checkPathPattern({ text, column }: MatchToken, operator: 'is' | 'in'): void {
  const refuse = (what: string): never => {
    throw new UnreadableMatch(column, `"${text}" ${what}`);
  };
  if (text.startsWith('/') || text.startsWith('~') || /^[A-Za-z]:/.test(text))
    refuse('does not begin in the workspace; expected a path relative to it');
  const segments = text.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    refuse('has an empty, . or .. part; expected names joined by single slashes');
  const wild = /[*?]/.test(text);
  if (operator === 'is' && wild) refuse('is a pattern; expected a path after is, or in instead of is');
  if (operator === 'is') return;
  if (!wild) refuse(`has no wildcard; expected ${text}/** for all in a folder, or is instead of in`);
  if (segments.some((segment) => segment !== '**' && segment.includes('**')))
    refuse('has ** next to other characters; expected ** alone between slashes');
  if (/[[\]{}!]/.test(text)) refuse('has brackets, braces or !; expected only the wildcards *, ** and ?');
}

/** Checks a host or a pattern of subdomains. */
export function checkHost({ text, quoted, column }: MatchToken, operator: 'is' | 'in'): void {
  const refuse = (what: string): never => {
    throw new UnreadableMatch(column, `"${text}" ${what}`);
  };
  const below = text.startsWith('*.');
  if (operator === 'is' && below) refuse('is a pattern; expected a host after is, or in instead of is');
  if (operator === 'in' && !below)
    refuse('is no pattern for hosts; expected *.example.com, or is instead of in');
  const host = (below ? text.slice(2) : text).toLowerCase();
  if (quoted || !HOST.test(host))
    refuse(
      'is no host; expected its letters alone, no scheme, port or path (other scripts in their xn-- form)',
    );
}

/** Parses a field of the input: `input.a.b[0]`, or the short forms `method` and `argv[0]`. */
export function readField({ text, column }: MatchToken): readonly (string | number)[] | undefined {
  if (text === 'method') return ['method'];
  if (!text.startsWith('input.') && !text.startsWith('argv[')) return undefined;
  const path = text.startsWith('argv[') ? text : text.slice('input.'.length);
  if (!/^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*|\[(0|[1-9]\d{0,5})\])*$/.test(path))
    throw new UnreadableMatch(
      column,
      `"${text}" is no field of the input; expected names joined by dots, and [0] for places in a list`,
    );
  const parts = path.split(/[.[\]]+/).filter((part) => part !== '');
  const refused = parts.find((part) => REFUSED_NAMES.has(part));
  if (refused !== undefined)
    throw new UnreadableMatch(column, `"${refused}" is a name that every object inherits; expected a field`);
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
