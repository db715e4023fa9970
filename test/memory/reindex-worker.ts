// Reindexes a workspace and blocks forever after its first batch, so that the test can kill it there.
import { openTestMemory } from './open-test-memory.ts';

const { vectors } = await openTestMemory(process.argv[2] as string);
const forever = new Int32Array(new SharedArrayBuffer(4));
await vectors.rebuild((done) => {
  process.stdout.write(`${done}\n`);
  Atomics.wait(forever, 0, 0);
});
