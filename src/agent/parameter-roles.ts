import type { ToolFace } from '../engine/index.ts';
import type { Json, JsonObject } from '../kernel/index.ts';
import { asObject } from './findings.ts';

/** What a parameter is for, as far as its name and type tell. */
type ParameterRole =
  | 'path'
  | 'url'
  | 'date'
  | 'number'
  | 'flag'
  | 'choice'
  | 'content'
  | 'query'
  | 'name'
  | 'structure';

/** A parameter of a tool. */
export interface Parameter {
  readonly name: string;
  readonly role: ParameterRole;
  readonly required: boolean;
  readonly description?: string;
  readonly choices?: readonly string[];
}

const ROLES_BY_NAME: readonly (readonly [ParameterRole, RegExp])[] = [
  ['path', /^(?:path|file|filename|folder|directory|dir|cwd|source|destination|target|from|to)$/],
  ['url', /^(?:url|uri|link|href|address)$/],
  ['date', /^(?:date|until|since|when|before|after)$/],
  ['content', /^(?:content|contents|text|body|message|value|data|prompt|new)$/],
  ['query', /^(?:query|q|search|pattern|term|question|topic|keywords?)$/],
];

/** Roles that say how something is done, and not to what. */
const UNWORDED: ReadonlySet<ParameterRole> = new Set(['structure', 'number', 'choice', 'flag']);

/** The parameters that a tool's input schema names. */
export function parametersOf(tool: ToolFace): Parameter[] {
  const schema = tool.input.json();
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(asObject(schema['properties'])).map(([name, property]) => {
    const { description, enum: choices } = asObject(property);
    return {
      name,
      role: roleOf(name, asObject(property)),
      required: required.includes(name),
      ...(typeof description === 'string' ? { description } : {}),
      ...(Array.isArray(choices) ? { choices: choices.filter((choice) => typeof choice === 'string') } : {}),
    };
  });
}

/** Whether a goal in words can bring everything that the tool needs; one that lives on structures needs some. */
export function canBeFilled(tool: ToolFace): boolean {
  const parameters = parametersOf(tool);
  const structured = parameters.filter(({ role }) => role === 'structure');
  const worded = parameters.some(({ role }) => !UNWORDED.has(role));
  return structured.length === 0 || (worded && structured.every(({ required }) => !required));
}

function roleOf(name: string, property: JsonObject): ParameterRole {
  if (Array.isArray(property['enum'])) return 'choice';
  switch (property['type'] as Json | undefined) {
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'flag';
    case 'string':
      return ROLES_BY_NAME.find(([, pattern]) => pattern.test(name))?.[0] ?? 'name';
    default:
      return 'structure';
  }
}
