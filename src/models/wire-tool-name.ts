import { digestOf } from '../kernel/index.ts';

/** The names that the tools of one request have on a provider's wire, and the way back. */
export interface WireToolNames {
  /** The name on the wire; the same for the same request. */
  toWire(name: string): string;
  /** The tool that a name on the wire stands for; a name that was never given out stays as it is. */
  fromWire(wireName: string): string;
}

const LONGEST = 64;
const DIGEST_LENGTH = 8;
const NOT_ALLOWED = /[^A-Za-z0-9_-]/g;

/**
 * Gives each name one of at most 64 letters, digits, `_` and `-`, as all providers take it, unlike any other and unlike
 * the reserved ones. A name that fits already keeps itself where it can; one that would clash gets the start of its
 * digest, so that the table does not depend on the order of the tools.
 */
export function wireToolNames(names: Iterable<string>, reserved: Iterable<string> = []): WireToolNames {
  const toWire = new Map<string, string>();
  const fromWire = new Map<string, string>();
  const taken = new Set(reserved);
  const fitting = (name: string): boolean => plainNameOf(name) === name;
  const sorted = [...new Set(names)].sort();
  for (const name of [...sorted.filter(fitting), ...sorted.filter((one) => !fitting(one))]) {
    const wireName = freeNameOf(name, taken);
    taken.add(wireName);
    toWire.set(name, wireName);
    fromWire.set(wireName, name);
  }
  return {
    toWire: (name) => toWire.get(name) ?? plainNameOf(name),
    fromWire: (wireName) => fromWire.get(wireName) ?? wireName,
  };
}

function plainNameOf(name: string): string {
  return name.replace(NOT_ALLOWED, '_').slice(0, LONGEST) || '_';
}

function freeNameOf(name: string, taken: ReadonlySet<string>): string {
  const plain = plainNameOf(name);
  if (!taken.has(plain) && name.length <= LONGEST) return plain;
  for (let attempt = 0; ; attempt++) {
    const suffix = `_${digestOf(attempt === 0 ? name : `${attempt} ${name}`).slice(-DIGEST_LENGTH)}`;
    const candidate = plain.slice(0, LONGEST - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
