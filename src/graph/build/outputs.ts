import { asObject, type JsonObject } from '../../kernel/index.ts';
import type { EarlierSteps } from '../../language/index.ts';
import { stem } from '../../retrieval/index.ts';

/** What an earlier node leaves behind, as far as its schema tells. */
export interface Output {
  readonly nodeId: string;
  readonly schema?: JsonObject;
  /** The field that counts, where it may be of any type. */
  readonly field?: string;
}

const TEXTS = ['content', 'text', 'body', 'summary', 'answer', 'result', 'output', 'stdout'];

/** Words for whatever list an output holds. */
const LIST_WORDS: ReadonlySet<string> = new Set(['list', 'lists', 'listing']);

/** What the outputs are for the words of later steps. */
export function earlierSteps(outputs: readonly Output[]): EarlierSteps {
  const last = outputs.at(-1);
  return {
    text: () => last && textTemplate(last),
    named: (word) => namedTemplate(word, outputs, true),
    field: (name) => namedTemplate(name, outputs.slice(-1), false),
  };
}

/**
 * A template for an output as text: its text field where it has one, else the whole as JSON. The line break keeps a
 * whole output from being passed on as an object where text is wanted.
 */
export function textTemplate({ nodeId, schema, field: main }: Output): string {
  if (main !== undefined) return `{{${nodeId}.${main}}}\n`;
  const fields = fieldsOf(schema);
  if (schema?.['type'] === 'string') return `{{${nodeId}}}`;
  const field = TEXTS.find((name) => fields[name]?.['type'] === 'string');
  return field === undefined ? `{{${nodeId}}}\n` : `{{${nodeId}.${field}}}`;
}

/** A template for the field of an earlier output that a word names, the nearest first; as text where that is wanted. */
export function namedTemplate(word: string, outputs: readonly Output[], asText: boolean): string | undefined {
  const meansList = LIST_WORDS.has(word.toLowerCase());
  for (const output of [...outputs].reverse()) {
    const { nodeId, schema } = output;
    const list = meansList ? listField(output, []) : undefined;
    if (list !== undefined) return `{{${nodeId}.${list}}}${asText ? '\n' : ''}`;
    const found = Object.entries(fieldsOf(schema)).find(([name]) => stem(name) === stem(word.toLowerCase()));
    if (!found) continue;
    const [name, property] = found;
    return `{{${nodeId}.${name}}}${asText && property['type'] !== 'string' ? '\n' : ''}`;
  }
  return undefined;
}

/** The list in an output: the one that a word names, or the only one. */
export function listField({ schema }: Output, words: readonly string[]): string | undefined {
  const lists = Object.entries(fieldsOf(schema)).filter(([, property]) => property['type'] === 'array');
  const stems = new Set(words.map((word) => stem(word.toLowerCase())));
  const [named] = lists.find(([name]) => stems.has(stem(name))) ?? [];
  return named ?? (lists.length > 0 ? lists[0]?.[0] : undefined);
}

/** The number in an output that a word names. */
export function numberField({ schema }: Output, words: readonly string[]): string | undefined {
  const stems = new Set(words.map((word) => stem(word.toLowerCase())));
  const [named] =
    Object.entries(fieldsOf(schema)).find(
      ([name, { type }]) => (type === 'number' || type === 'integer') && stems.has(stem(name)),
    ) ?? [];
  return named;
}

function fieldsOf(schema: JsonObject | undefined): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.entries(asObject(schema?.['properties'])).map(([name, property]) => [name, asObject(property)]),
  );
}
