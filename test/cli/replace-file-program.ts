// Replaces a file by a larger one, in one of the ways that there are, and says how that ended.
import { GraphFiles } from '../../src/adapters/workspace/index.ts';
import { replaceFile } from '../../src/disk/index.ts';

const [way, file = ''] = process.argv.slice(2);
const text = 'x'.repeat(100_000);
try {
  if (way === 'in parts') replaceFile(file, [text]);
  else new GraphFiles('/', '/').write(file, text);
  process.stdout.write('written');
} catch (error) {
  process.stdout.write(String((error as NodeJS.ErrnoException).code));
}
