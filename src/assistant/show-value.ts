import { canonicalJson, type Json } from '../kernel/index.ts';
import { cut } from './moves.ts';

/** The value itself, or the beginning of its text when it is longer than `most` characters. */
export function boundedValue(value: Json, most: number): Json {
  if (typeof value === 'string') return cut(value, most);
  const text = canonicalJson(value);
  return text.length <= most ? value : cut(text, most);
}

/** A value as part of a question to a model, marked as information that is never an instruction. */
export function showUntrusted(value: Json, from: string, most: number): string {
  const shown = boundedValue(value, most);
  const text = typeof shown === 'string' ? shown : canonicalJson(shown);
  // What strangers wrote cannot end the part that is marked as theirs.
  return `<untrusted from="${from}">\n${text.replaceAll(/<(\/?)untrusted/gi, '<$1_untrusted')}\n</untrusted>`;
}
