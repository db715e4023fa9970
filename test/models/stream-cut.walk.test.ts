import { describe, it } from 'vitest';
import { cutInMemory, expectCut, expectSameInPieces } from './stream-cut.ts';
import { WIRE_FORMATS } from './wires.ts';

describe.each(WIRE_FORMATS)('a stream of $provider', (wire) => {
  it('returns its answer only when it is complete, wherever it is cut', () =>
    expectCut(wire, (bytes) => Array.from({ length: bytes }, (_, at) => at), cutInMemory));

  it('returns the same answer when it arrives byte by byte', () => expectSameInPieces(wire, 1));
});
