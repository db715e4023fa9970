import { showPath } from '../paths.ts';
import { hashBasis } from './basis.ts';
import type { ContextParts } from './ports.ts';
import { tryReadFrame } from './read-content.ts';
import type { FrameRecord, Head } from './types.ts';

export interface ContextFault {
  readonly where: string;
  readonly what: string;
}

const PAGE = 500;

/** Checks every frame and every head. */
export async function validateFrames(
  parts: Pick<ContextParts, 'records' | 'blobs'>,
): Promise<readonly ContextFault[]> {
  const faults: ContextFault[] = [];
  let last = '';
  for (;;) {
    const page = await parts.records.framesAfter(last, PAGE);
    for (const frame of page) faults.push(...(await frameFaults(parts, frame)));
    const end = page.at(-1);
    if (end === undefined) break;
    last = end.id;
  }
  for (const head of await parts.records.headsWithin('')) faults.push(...(await headFaults(parts, head)));
  return faults;
}

async function frameFaults(
  { records, blobs }: Pick<ContextParts, 'records' | 'blobs'>,
  frame: FrameRecord,
): Promise<readonly ContextFault[]> {
  if (frame.erased) return [];
  const where = `frame ${frame.id} (${showPath(frame.path)}, ${frame.type})`;
  const faults: ContextFault[] = [];
  const { basis } = frame;
  if (basis === undefined || hashBasis(basis) !== frame.basisHash)
    faults.push({ where, what: 'its basis does not match its hash' });
  else if (basis.kind !== 'node') {
    for (const [, child] of basis.children)
      if ((await records.frame(child)) === undefined)
        faults.push({ where, what: `the frame ${child} of its basis is missing` });
  }
  const read = await tryReadFrame(blobs, frame);
  return 'why' in read ? [...faults, { where, what: read.why }] : faults;
}

async function headFaults(
  { records }: Pick<ContextParts, 'records'>,
  { path, type, frame: id }: Head,
): Promise<readonly ContextFault[]> {
  const where = `head ${showPath(path)}, ${type}`;
  const frame = await records.frame(id);
  if (frame === undefined) return [{ where, what: `it points to the missing frame ${id}` }];
  if (frame.path === path && frame.type === type) return [];
  return [{ where, what: `it points to the frame ${id} of ${showPath(frame.path)}, ${frame.type}` }];
}
