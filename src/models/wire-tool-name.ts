import { digestOf } from '../kernel/index.ts';

/** Maps the tool names of a request to a provider's wire names and back. */
export interface WireToolNames {
  /** The wire name; deterministic per request. */
  toWire(name: string): string;
  /** The tool of a wire name; unknown names are returned unchanged. */
  fromWire(wireName: string): string;
}

const MAX_LENGTH = 64;
const DIGEST_LENGTH = 8;
const NOT_ALLOWED = /[^A-Za-z0-9_-]/g;

/**
 * Assigns each name a unique wire name of at most 64 letters, digits, `_` and `-`, the common subset of all providers. A valid
 * name is kept if possible; a colliding one gets a digest suffix, so that the result does not depend on the order of tools.
 */
export function wireToolNames(names: Iterable<string>, reserved: Iterable<string> = []): WireToolNames {
  const toWire = new Map<string, string>();
  const fromWire = new Map<string, string>();
  const taken = new Set(reserved);
  const isValid = (name: string): boolean => toWireName(name) === name;
  const sorted = [...new Set(names)].sort();
  for (const name of [...sorted.filter(isValid), ...sorted.filter((one) => !isValid(one))]) {
    const wireName = uniqueWireName(name, taken);
    taken.add(wireName);
    toWire.set(name, wireName);
    fromWire.set(wireName, name);
  }
  return {
    toWire: (name) => toWire.get(name) ?? toWireName(name),
    fromWire: (wireName) => fromWire.get(wireName) ?? wireName,
  };
}

function toWireName(name: string): string {
  return name.replace(NOT_ALLOWED, '_').slice(0, MAX_LENGTH) || '_';
}

function uniqueWireName(name: string, taken: ReadonlySet<string>): string {
  const plain = toWireName(name);
  if (!taken.has(plain) && name.length <= MAX_LENGTH) return plain;
  for (let attempt = 0; ; attempt++) {
    const suffix = `_${digestOf(attempt === 0 ? name : `${attempt} ${name}`).slice(-DIGEST_LENGTH)}`;
    const candidate = plain.slice(0, MAX_LENGTH - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
