import { didYouMean, type Json, type JsonObject, nearestName } from '../../../kernel/index.ts';
import { invalid } from '../frame-error.ts';

/** A parameter: what it is unless told, and whether a value can be it. */
export interface Parameter {
  readonly usual?: Json;
  readonly fits: (value: Json) => boolean;
  /** What it has to be, for who got it wrong. */
  readonly shape: string;
}

/** A positive whole number. */
export const count = (usual: number): Parameter => ({
  usual,
  fits: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  shape: 'a whole number above 0',
});

/** A text. */
export const words = (usual?: string): Parameter => ({
  ...(usual === undefined ? {} : { usual }),
  fits: (value) => typeof value === 'string',
  shape: 'a text',
});

/** A list of texts. */
export const list: Parameter = {
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  shape: 'a list of texts',
};

/** The parameters with defaults filled in; refuses what is not known and what does not fit. */
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
      throw invalid(name, `the policy ${policy} has no parameter "${name}". ${hint}`);
    }
    if (!parameter.fits(given[name] as Json))
      throw invalid(
        name,
        `the parameter ${name} of the policy ${policy} has to be ${parameter.shape}; change it.`,
      );
  }
  return Object.fromEntries(
    names
      .map((name) => [name, given[name] ?? known[name]?.usual] as const)
      .filter((entry): entry is readonly [string, Json] => entry[1] !== undefined),
  );
}
