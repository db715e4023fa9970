// Prints the names that each face of the package exports.
import { readFileSync } from 'node:fs';

const { exports } = JSON.parse(readFileSync(new URL(import.meta.resolve('oka/package.json')), 'utf8'));
const names = {};
for (const face of Object.keys(exports).filter((name) => name !== './package.json'))
  names[face] = Object.keys(await import(`oka${face.slice(1)}`)).sort();
process.stdout.write(JSON.stringify(names));
