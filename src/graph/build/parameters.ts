import type { Json, JsonObject } from '../../kernel/index.ts';

/** What a parameter is for, as far as its name and type tell. */
export type ParameterRole =
  | 'url'
  | 'date'
  | 'number'
  | 'choice'
  | 'arguments'
  | 'name'
  | 'path'
  | 'target'
  | 'content'
  | 'query'
  | 'other';

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

/** The parameters that an input schema names. */
export function parametersOf(schema: JsonObject): Parameter[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(asObject(schema['properties'])).map(([name, value]) => {
    const property = asObject(value);
    const { description, enum: choices } = property;
    return {
      name,
      role: roleOf(name, property),
      // What has a default need not be said, whatever the schema of the output side lists.
      required: required.includes(name) && property['default'] === undefined,
      description: typeof description === 'string' ? description : '',
      choices: Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [],
    };
  });
}

/** The members of a value that is an object; none for any other. */
export function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function roleOf(name: string, property: JsonObject): ParameterRole {
  if (Array.isArray(property['enum'])) return 'choice';
  switch (property['type']) {
    case 'number':
    case 'integer':
      return 'number';
    case 'string':
      return ROLES_BY_NAME.find(([, pattern]) => pattern.test(name))?.[0] ?? 'name';
    case 'array':
      return /^(?:argv|args|arguments|command)$/.test(name) &&
        asObject(property['items'])['type'] === 'string'
        ? 'arguments'
        : 'other';
    default:
      return 'other';
  }
}
