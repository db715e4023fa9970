// Owns: making the mirror file and the database end at the same event.
// I1 A line is never dropped unless the database has its event. Lines that continue the database's chain are adopted into
//    the database; if they contradict it, nothing is changed and `ledger.diverged` is thrown.
import { OkaError } from '../../kernel/index.ts';
import { type LedgerErrorCode, type LedgerHead, type MirrorRecord, placeOf } from '../../ledger/index.ts';
import type { MirrorFile, MirrorSource } from './mirror-file.ts';
import { type MirrorTail, readLines, readTail, recordOf, sizeOf } from './read-lines.ts';

/**
 * Compares the ends of the file and the database. Reads the file first: a live writer commits to the database before it
 * writes the file, so it never causes `ahead`. A file that lags is `sound`.
 */
export function compareEnds(path: string, source: MirrorSource): 'sound' | 'ahead' | 'diverged' {
  const { last, damagedLines } = readTail(path);
  const head = source.head();
  if (last.seq <= head.seq && source.chainAt(last.seq) !== last.hash) return 'diverged';
  return last.seq + damagedLines > head.seq ? 'ahead' : 'sound';
}

/** Reconciles the end of the file with the end of the database. Returns the repairs. */
export function reconcileMirror(file: MirrorFile, source: MirrorSource, now: number): string[] {
  const tail = readTail(file.path);
  const { last, soundBytes, damagedLines, tornBytes } = tail;
  const before = source.head().seq;
  if (last.seq > before && damagedLines > 0) throw unreadable(file.path, damagedLines);
  const repaired = last.seq > before ? adopt(tail, file, source, now) : [];
  const head = source.head();
  file.seq = Math.min(last.seq, head.seq);
  // The rest of an unfinished transaction has been moved aside.
  if (last.seq > head.seq) return repaired;
  if (source.chainAt(last.seq) !== last.hash)
    throw diverged(file.path, `event ${last.seq} is not the same in both`);
  const cut = damagedLines + (tornBytes > 0 ? 1 : 0);
  const isCutKnown = last.seq + cut <= head.seq;
  if (!isCutKnown && damagedLines > 0) throw unreadable(file.path, damagedLines);
  if (cut > 0 && isCutKnown) {
    repaired.push(`Rewrote ${count(cut, 'unreadable line')} at the end of run_ledger.jsonl.`);
    file.truncate(soundBytes);
  } else if (cut > 0) repaired.push(setAside(file, soundBytes, now, 'An unfinished last line'));
  if (head.seq > file.seq && file.catchUp())
    repaired.push('Removed from run_ledger.jsonl what was erased or archived since it was written.');
  return repaired;
}

/** Stores events of the file that the database lacks. */
function adopt(
  { last, soundBytes }: MirrorTail,
  file: MirrorFile,
  source: MirrorSource,
  now: number,
): string[] {
  const { path } = file;
  const { stored, incomplete, brokenAfter } = source.adopt((head) => recordsAfter(path, head, soundBytes));
  if (brokenAfter !== undefined)
    throw diverged(path, `the line after event ${brokenAfter.seq} does not continue the database`);
  const recovered = `Recovered ${count(stored, 'event')} from run_ledger.jsonl that the database did not have.`;
  const repaired = stored > 0 ? [recovered] : [];
  if (incomplete === 0) return repaired;
  const from = offsetOf(path, last.seq - incomplete + 1);
  return [
    ...repaired,
    setAside(file, from, now, `${count(incomplete, 'event')} of an unfinished transaction`),
  ];
}

function setAside(file: MirrorFile, from: number, now: number, what: string): string {
  return `${what} cannot be used and was moved to ${file.setAside(from, now)}.`;
}

/** The records of the file after the head of the database, up to an offset. All of them must be readable. */
function* recordsAfter(path: string, head: LedgerHead, to: number): Generator<MirrorRecord> {
  const from = head.seq === 0 ? 0 : offsetOf(path, head.seq);
  let isFirst = head.seq > 0;
  for (const { line } of readLines(path, { from, to })) {
    const record = recordOf(line);
    if (record === undefined) throw unreadable(path, 1);
    if (!isFirst) yield record;
    else if (placeOf(record).hash !== head.hash)
      throw diverged(path, `event ${head.seq} is not the same in both`);
    isFirst = false;
  }
}

/** The offset of the line of a seq; the end of the file if there is none. */
function offsetOf(path: string, seq: number): number {
  for (const { line, offset } of readLines(path))
    if (Number(/^\{"seq":(\d+),/.exec(line)?.[1]) >= seq) return offset;
  return sizeOf(path);
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** Both cannot be right, so the user has to choose. */
function diverged(path: string, why: string): OkaError {
  return new OkaError<LedgerErrorCode>(
    'ledger.diverged',
    `The database and ${path} contradict each other: ${why}. Nothing was changed. To see both and choose: oka ledger repair.`,
    { data: { mirror: path } },
  );
}

function unreadable(path: string, lines: number): OkaError {
  return diverged(path, `${count(lines, 'line')} cannot be read, and the database does not have the events`);
}
