// Writes items until it is killed. Prints one line of JSON after each write that was acknowledged.
// Arguments: address of the built runtime, workspace, user folder, prefix of the keys.
import { writeItem } from './write-items.mjs';

const [runtime, workspace, home, prefix] = process.argv.slice(2);
const { Oka } = await import(runtime);
const oka = new Oka({ workspace, home });

for (let number = 0; ; number++) {
  // Writes to a pipe are synchronous, so a killed process has printed every acknowledgement it got.
  process.stdout.write(`${JSON.stringify(await writeItem(oka, number, `${prefix}-${number}`))}\n`);
}
