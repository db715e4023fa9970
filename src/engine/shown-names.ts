/** A name with less than this says nothing by itself, and would be found in any text. */
const MIN_TRACE_LENGTH = 4;
/** A tool may show only the beginning of a name. */
const COMPARED_LENGTH = 12;

/**
 * The names that an outcome shows. Compares letters and digits only, because a tool may escape, quote or cut what it shows; when in
 * doubt a name counts as shown.
 */
export function shownNames(names: Iterable<string>, outcome: unknown): readonly string[] {
  const shown = traceOf([...stringsIn(outcome)].join(' '));
  return [...names].filter((name) => {
    const trace = traceOf(name).slice(0, COMPARED_LENGTH);
    return trace.length < MIN_TRACE_LENGTH || shown.includes(trace);
  });
}

function traceOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Every string in a value, and every key. */
function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (value === null || typeof value !== 'object') return;
  for (const [key, member] of Object.entries(value)) {
    yield key;
    yield* stringsIn(member);
  }
}
