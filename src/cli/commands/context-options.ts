import { InvalidArgumentError } from 'commander';
import { type ContextView, didYouMean, nearestName } from '../../api/index.ts';
import { parseCount } from '../context.ts';
import { visible } from '../printer.ts';

const KEYS = ['max', 'order', 'type', 'agent', 'since', 'until'];

/** Parses a view such as `max=10,order=recency,type=note`. `type` and `agent` may repeat. */
export function parseView(text: string): ContextView {
  const given = new Map<string, string[]>();
  for (const pair of text.split(',').filter((one) => one.trim() !== '')) {
    const [key = '', ...rest] = pair.split('=');
    const value = rest.join('=').trim();
    const name = key.trim();
    if (!KEYS.includes(name)) {
      const hint = didYouMean(nearestName(name, KEYS), `Keys: ${KEYS.join(', ')}.`);
      throw new InvalidArgumentError(`Unknown key "${name}". ${hint}`);
    }
    if (value === '')
      throw new InvalidArgumentError(`Expected a value for ${name}, such as max=10,order=recency`);
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const [max, order, since, until] = ['max', 'order', 'since', 'until'].map(last);
  const [types, agents] = [given.get('type'), given.get('agent')];
  return {
    ...(max === undefined ? {} : { maxFrames: parseCount(max) }),
    ...(order === undefined ? {} : { order }),
    ...(types === undefined ? {} : { types }),
    ...(agents === undefined ? {} : { agents }),
    ...(since === undefined ? {} : { since: parseMoment(since) }),
    ...(until === undefined ? {} : { until: parseMoment(until) }),
  };
}

/** Escapes a path to one line. Backslashes in paths are doubled, so `\n` is unambiguous. */
export function showPath(path: string): string {
  return path === '' ? '.' : visible(path).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** Parses a list such as `node,parent`. */
export function parseList(text: string): readonly string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

const SOURCES = ['node', 'parent', 'siblings', 'related'] as const;

type Quotas = { readonly [source in (typeof SOURCES)[number] as `${source}Max`]?: number };

/** Parses quotas such as `siblings=5,parent=2`. */
export function parseQuotas(text: string): Quotas {
  const quotas: Record<string, number> = {};
  for (const pair of parseList(text)) {
    const [, source = '', amount = ''] = /^\s*([^=\s]+)\s*=\s*(\S+)$/u.exec(pair) ?? [];
    if (!(SOURCES as readonly string[]).includes(source)) {
      const hint = didYouMean(nearestName(source, SOURCES), `Sources: ${SOURCES.join(', ')}.`);
      throw new InvalidArgumentError(`Expected source=number, such as siblings=5. ${hint}`);
    }
    quotas[`${source}Max`] = parseCount(amount);
  }
  return quotas;
}

export function parseMoment(text: string): number {
  const at = /^\d{10,}$/.test(text)
    ? Number(text)
    : /^\d{4}-\d{2}-\d{2}/.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (Number.isSafeInteger(at)) return at;
  throw new InvalidArgumentError(
    'Expected a day such as 2026-01-31, an ISO 8601 time, or epoch milliseconds',
  );
}
