// Replaces a file, and is killed after some parts of its content are written.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../../src/disk/index.ts';
import { die } from '../support/doomed-store.ts';

const [file = '', parts = '0'] = process.argv.slice(2);
mkdirSync(dirname(file), { recursive: true });
replaceFile(file, content());

function* content(): Iterable<string> {
  for (let part = 0; part < Number(parts); part++) yield 'part of the content\n';
  die();
}
