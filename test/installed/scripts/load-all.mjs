// Loads every file of the build but the two programs, and prints those that cannot be loaded.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const dist = new URL('dist/', import.meta.resolve('oka/package.json'));
const broken = {};
for (const name of readdirSync(dist).filter((file) => /\.c?js$/.test(file) && file !== 'daemon.cjs'))
  try {
    if (name.endsWith('.cjs')) require(new URL(name, dist).pathname);
    else await import(new URL(name, dist).href);
  } catch (error) {
    broken[name] = String(error);
  }
process.stdout.write(JSON.stringify(broken));
