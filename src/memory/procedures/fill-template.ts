import { type Json, type JsonObject, OkaError, renderTemplate } from '../../kernel/index.ts';

/** A template with the values of a goal in its places; undefined when it has a place or a key that cannot be filled. */
export function fillTemplate(template: Json, values: JsonObject): Json | undefined {
  try {
    return renderTemplate(template, values);
  } catch (error) {
    if (error instanceof OkaError) return undefined;
    throw error;
  }
}
