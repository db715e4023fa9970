import { canonicalJson, type Json } from '../kernel/index.ts';
import { cut } from './moves.ts';

/** Returns the value, or its shortened text if that is longer than `maxLength`. */
export function boundedValue(value: Json, maxLength: number): Json {
  if (typeof value === 'string') return cut(value, maxLength);
  const text = canonicalJson(value);
  return text.length <= maxLength ? value : cut(text, maxLength);
}

/** Shows a value to a model, marked as untrusted information. */
export function showUntrusted(value: Json, from: string, maxLength: number): string {
  const shown = boundedValue(value, maxLength);
  const text = typeof shown === 'string' ? shown : canonicalJson(shown);
  // Untrusted text cannot close its tag.
  return `<untrusted from="${from}">\n${text.replaceAll(/<(\/?)untrusted/gi, '<$1_untrusted')}\n</untrusted>`;
}
