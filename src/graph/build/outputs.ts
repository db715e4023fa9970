import { asObject, type JsonObject } from '../../kernel/index.ts';
import type { EarlierSteps } from '../../language/index.ts';
import { stem } from '../../retrieval/index.ts';

/** The output of an earlier node, as far as its schema is known. */
export interface Output {
  readonly nodeId: string;
  readonly schema?: JsonObject;
  /** The main field, where it may have any type. */
  readonly field?: string;
}

const TEXTS = ['content', 'text', 'body', 'summary', 'answer', 'result', 'output', 'stdout'];

/** Words for any list in an output. */
const LIST_WORDS: ReadonlySet<string> = new Set(['list', 'lists', 'listing']);

/** The outputs for words such as "it" in later steps. */
export function earlierSteps(outputs: readonly Output[]): EarlierSteps {
  const last = outputs.at(-1);
  return {
    text: () => last && textTemplate(last),
    named: (word) => namedTemplate(word, outputs, true),
    field: (name) => namedTemplate(name, outputs.slice(-1), false),
  };
}

/**
 * A template for an output as text: its text field, else the whole output as JSON. The line break makes the template
 * text, so that the output is not passed as an object.
 */
export function textTemplate({ nodeId, schema, field: main }: Output): string {
  if (main !== undefined) return `{{${nodeId}.${main}}}\n`;
  const fields = fieldsOf(schema);
  if (schema?.['type'] === 'string') return `{{${nodeId}}}`;
  const field = TEXTS.find((name) => fields[name]?.['type'] === 'string');
  return field === undefined ? `{{${nodeId}}}\n` : `{{${nodeId}.${field}}}`;
}

/** A template for the output field that a word names, latest output first; as text with `asText`. */
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

/** The list in an output: the one that a word names, else the first. */
export function listField({ schema }: Output, words: readonly string[]): string | undefined {
  const lists = fieldNames(schema, ['array']);
  return nameAmong(lists, words) ?? lists[0];
}

/** The number in an output that a word names. */
export function numberField({ schema }: Output, words: readonly string[]): string | undefined {
  return nameAmong(fieldNames(schema, ['number', 'integer']), words);
}

function fieldNames(schema: JsonObject | undefined, types: readonly unknown[]): string[] {
  const fields = Object.entries(fieldsOf(schema));
  return fields.filter(([, { type }]) => types.includes(type)).map(([name]) => name);
}

function nameAmong(names: readonly string[], words: readonly string[]): string | undefined {
  const stems = new Set(words.map((word) => stem(word.toLowerCase())));
  return names.find((name) => stems.has(stem(name)));
}

function fieldsOf(schema: JsonObject | undefined): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.entries(asObject(schema?.['properties'])).map(([name, property]) => [name, asObject(property)]),
  );
}
