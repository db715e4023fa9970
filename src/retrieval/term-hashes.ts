const START = 2166136261;
const FACTOR = 16777619;
const SPACE = 32;

/** The number that stands for a term. */
export function hashOf(term: string): number {
  let state = START;
  for (let place = 0; place < term.length; place += 1)
    state = Math.imul(state ^ term.charCodeAt(place), FACTOR);
  return state | 0;
}

let scratch = new Int32Array(256);

/** The numbers of terms with spaces between them, in rising order, so that equal ones stand together. */
export function hashTerms(line: string): Int32Array {
  // A text has at most one term for every two characters.
  while (scratch.length <= line.length / 2 + 1) scratch = new Int32Array(scratch.length * 2);
  let [state, count] = [START, 0];
  for (let place = 0; place < line.length; place += 1) {
    const unit = line.charCodeAt(place);
    if (unit === SPACE) {
      scratch[count] = state;
      count += 1;
      state = START;
    } else state = Math.imul(state ^ unit, FACTOR);
  }
  if (line !== '') {
    scratch[count] = state;
    count += 1;
  }
  return scratch.slice(0, count).sort();
}
