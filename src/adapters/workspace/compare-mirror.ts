import {
  archivedLine,
  type Fault,
  type MirrorRecord,
  mirrorLine,
  parseMirrorLine,
} from '../../ledger/index.ts';
import type { Line } from './read-lines.ts';

const MOST_FAULTS = 100;

/** Walks lines and ledger side by side and names every line that is not what the ledger says. */
export function compareMirror(
  lines: Iterable<Line>,
  records: Iterable<MirrorRecord>,
  options: { readonly mayLag: boolean },
): Fault[] {
  const faults: Fault[] = [];
  const fault = (where: string, what: string): void => {
    if (faults.length < MOST_FAULTS) faults.push({ where: `mirror ${where}`, what });
  };
  const expected = records[Symbol.iterator]();
  let next = expected.next();
  let number = 0;
  for (const { line, complete } of lines) {
    number += 1;
    const where = `line ${number}`;
    if (!complete) {
      if (options.mayLag) return faults;
      fault(where, 'is torn: it does not end');
      break;
    }
    while (!next.done && isBehind(next.value, line)) {
      fault(`seq ${seqOf(next.value)}`, 'has no line');
      next = expected.next();
    }
    if (next.done) {
      fault(where, 'is beyond the ledger');
      continue;
    }
    if (!equal(line, next.value)) fault(`${where} (seq ${seqOf(next.value)})`, 'differs from the ledger');
    next = expected.next();
  }
  if (options.mayLag) return faults;
  let missing = 0;
  const from = next.done ? 0 : seqOf(next.value);
  for (; !next.done; next = expected.next()) missing += 1;
  if (missing > 0) fault(`seq ${from}`, `and ${missing - 1} after it have no line yet`);
  return faults;
}

/** Only where a body was erased may a line be padded. */
function equal(line: string, record: MirrorRecord): boolean {
  const written = 'event' in record ? mirrorLine(record.event) : archivedLine(record.archived);
  if (line === written) return true;
  const erased = 'event' in record && record.event.bodyDigest !== null && record.event.bodyText === null;
  return erased && line.replace(/ +$/, '') === written;
}

/** True when the line is a good one of a later seq, so that the record's own line must be missing. */
function isBehind(record: MirrorRecord, line: string): boolean {
  const claimed = Number(/^\{"seq":(\d+),/.exec(line)?.[1] ?? Number.NaN);
  if (!(claimed > seqOf(record))) return false;
  try {
    parseMirrorLine(line);
    return true;
  } catch {
    return false;
  }
}

function seqOf(record: MirrorRecord): number {
  return 'event' in record ? record.event.seq : record.archived.seq;
}
