import { didYouMean, type Json, type JsonObject, nearestName } from '../../../kernel/index.ts';
import { invalid } from '../frame-error.ts';

/** A parameter with its default and its validation. */
export interface Parameter {
  readonly default?: Json;
  readonly fits: (value: Json) => boolean;
  /** The expected value, for error messages. */
  readonly shape: string;
}

export const count = (defaultValue: number): Parameter => ({
  default: defaultValue,
  fits: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  shape: 'a whole number above 0',
});

export const words: Parameter = {
  fits: (value) => typeof value === 'string',
  shape: 'a text',
};

export const list: Parameter = {
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  shape: 'a list of texts',
};

/** The parameters with defaults; rejects unknown and invalid ones. */
export function readParameters(
  policy: string,
  known: Readonly<Record<string, Parameter>>,
  given: JsonObject,
): JsonObject {
  const names = Object.keys(known);
  for (const name of Object.keys(given)) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (parameter === undefined) {
      const hint = didYouMean(nearestName(name, names), `Known are ${names.join(', ')}.`);
      throw invalid(name, `The policy ${policy} has no parameter "${name}". ${hint}`);
    }
    if (!parameter.fits(given[name] as Json))
      throw invalid(name, `Invalid parameter ${name} of the policy ${policy}: expected ${parameter.shape}.`);
  }
  return Object.fromEntries(
    names
      .map((name) => [name, given[name] ?? known[name]?.default] as const)
      .filter((entry): entry is readonly [string, Json] => entry[1] !== undefined),
  );
}
