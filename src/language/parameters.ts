import { asObject, type JsonObject } from '../kernel/index.ts';
import type { ReadableTool } from './types.ts';

/** The roles of parameters. Values with a clear form are read first, words last. */
export const ROLES = [
  'url',
  'date',
  'number',
  'choice',
  'arguments',
  'name',
  'target',
  'path',
  'content',
  'query',
  'flag',
  'structure',
] as const;

export type ParameterRole = (typeof ROLES)[number];

export interface Parameter {
  readonly name: string;
  readonly role: ParameterRole;
  readonly required: boolean;
  readonly description: string;
  readonly choices: readonly string[];
}

const ROLES_BY_NAME: readonly (readonly [ParameterRole, RegExp])[] = [
  ['target', /^(?:to|target|destination|recipient)$/],
  ['path', /^(?:path|file|filename|folder|directory|dir|cwd|source|from)$/],
  ['url', /^(?:url|uri|link|href|address)$/],
  ['date', /^(?:date|until|since|when|before|after)$/],
  ['content', /^(?:content|contents|text|body|message|value|data|prompt|new)$/],
  ['query', /^(?:query|q|search|pattern|term|question|topic|keywords?)$/],
];
/** Roles for options, not for the object of the action. */
const UNWORDED: ReadonlySet<ParameterRole> = new Set(['structure', 'number', 'choice', 'flag']);

/** The parameters that a tool's input schema names. */
export function parametersOf(tool: Pick<ReadableTool, 'input'>): Parameter[] {
  const schema = tool.input.json();
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(asObject(schema['properties'])).map(([name, value]) => {
    const property = asObject(value);
    const { description, enum: choices } = property;
    return {
      name,
      role: roleOf(name, property),
      // A parameter with a default is optional, even when the schema lists it as required.
      required: required.includes(name) && property['default'] === undefined,
      description: typeof description === 'string' ? description : '',
      choices: Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [],
    };
  });
}

/** Whether words can fill a tool's parameters. A tool that takes only structures cannot be called in words. */
export function canBeFilled(tool: ReadableTool): boolean {
  const parameters = parametersOf(tool);
  const structured = parameters.filter(({ role }) => role === 'structure');
  const worded = parameters.some(({ role }) => !UNWORDED.has(role));
  return structured.length === 0 || (worded && structured.every(({ required }) => !required));
}

function roleOf(name: string, property: JsonObject): ParameterRole {
  if (Array.isArray(property['enum'])) return 'choice';
  switch (property['type']) {
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'flag';
    case 'string':
      return ROLES_BY_NAME.find(([, pattern]) => pattern.test(name))?.[0] ?? 'name';
    case 'array':
      return /^(?:argv|args|arguments|command)$/.test(name) &&
        asObject(property['items'])['type'] === 'string'
        ? 'arguments'
        : 'structure';
    default:
      return 'structure';
  }
}
