import { type Fault, isBodyValid, lineOfRecord, type MirrorRecord, placeOf } from '../../ledger/index.ts';
import { type Line, recordOf } from './read-lines.ts';

const MAX_FAULTS = 100;

/** The differences between the mirror's lines and the ledger's records. */
export interface MirrorComparison {
  readonly faults: readonly Fault[];
  /** How many of the newest records have no line yet. Not a fault: the next writer appends them. */
  readonly behind: number;
  /** How many valid lines still hold erased or archived content. Not a fault: the next writer removes it. */
  readonly unremoved: number;
  /** Where the last line that equals its record starts, in bytes. */
  readonly lastEqual?: { readonly seq: number; readonly offset: number };
}

/** Compares lines with records in order and reports every line that differs from the ledger. */
export function compareMirror(lines: Iterable<Line>, records: Iterable<MirrorRecord>): MirrorComparison {
  const faults: Fault[] = [];
  const fault = (where: string, what: string): void => {
    if (faults.length < MAX_FAULTS) faults.push({ where: `mirror ${where}`, what });
  };
  const expected = records[Symbol.iterator]();
  let next = expected.next();
  let lastEqual: MirrorComparison['lastEqual'];
  let beyond = 0;
  let unremoved = 0;
  for (const { line, complete, offset } of lines) {
    // A writer may still be writing its last line.
    if (!complete) break;
    while (!next.done && isBehind(next.value, line)) {
      fault(`line ${placeOf(next.value).seq}`, 'is missing');
      next = expected.next();
    }
    if (next.done) {
      beyond += 1;
      continue;
    }
    const { seq } = placeOf(next.value);
    if (isEqual(line, next.value)) lastEqual = { seq, offset };
    else if (holdsRemoved(line, next.value)) unremoved += 1;
    // Every event has one line, so the line number equals the seq.
    else fault(`line ${seq}`, 'differs from the ledger');
    next = expected.next();
  }
  if (beyond > 0) fault('end', `has ${beyond} lines that the database does not have`);
  let behind = 0;
  for (; !next.done; next = expected.next()) behind += 1;
  return { faults, behind, unremoved, ...(lastEqual === undefined ? {} : { lastEqual }) };
}

/** Only a line with an erased body may be padded. */
function isEqual(line: string, record: MirrorRecord): boolean {
  const written = lineOfRecord(record);
  if (line === written) return true;
  const erased = 'event' in record && record.event.bodyDigest !== null && record.event.bodyText === null;
  return erased && line.trimEnd() === written;
}

/** Whether the line is the record before its body was erased or its stream archived. */
function holdsRemoved(line: string, record: MirrorRecord): boolean {
  const found = recordOf(line);
  if (found === undefined || !('event' in found) || !isBodyValid(found.event)) return false;
  if ('archived' in record) return found.event.chain === record.archived.chain;
  const erased = { event: { ...found.event, bodyText: null, salt: record.event.salt } };
  return record.event.bodyText === null && lineOfRecord(erased) === lineOfRecord(record);
}

/** Whether the line is a valid one with a later seq, so that the record's own line is missing. */
function isBehind(record: MirrorRecord, line: string): boolean {
  const claimed = Number(/^\{"seq":(\d+),/.exec(line)?.[1] ?? Number.NaN);
  return claimed > placeOf(record).seq && recordOf(line) !== undefined;
}
