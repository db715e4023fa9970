/** The number of texts at which half of their mean is subtracted: the mean of a few texts says little. */
const HALF_TRUSTED_AT = 16;

/** The mean of directions, shortened if there are few of them; undefined if there are none. */
export function meanDirection(directions: readonly Float32Array[]): Float32Array | undefined {
  const [first] = directions;
  if (first === undefined) return undefined;
  const mean = new Float32Array(first.length);
  for (const direction of directions)
    for (let axis = 0; axis < mean.length; axis += 1)
      mean[axis] = (mean[axis] as number) + (direction[axis] as number);
  const divisor = directions.length + HALF_TRUSTED_AT;
  return mean.map((value) => value / divisor);
}

/** A vector of length 1 in the same direction; the vector itself if it is 0. */
export function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let axis = 0; axis < one.length; axis += 1) sum += (one[axis] as number) * (other[axis] ?? 0);
  return sum;
}

/**
 * Compares directions with one direction, from 0 to 1, after subtracting the mean: what all texts have in common would make
 * every text similar.
 */
export function comparison(
  direction: Float32Array,
  mean: Float32Array | undefined,
): (other: Float32Array) => number {
  if (mean === undefined) return (other) => clamp(dot(direction, other));
  const centred = normalise(direction.map((value, axis) => value - (mean[axis] as number)));
  const [shift, square] = [dot(centred, mean), dot(mean, mean)];
  return (other) => {
    const length = Math.sqrt(Math.max(1 - 2 * dot(other, mean) + square, 0));
    return length < 1e-6 ? 0 : clamp((dot(centred, other) - shift) / length);
  };
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
