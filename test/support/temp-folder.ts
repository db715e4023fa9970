import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A temporary folder that is removed after the test. */
export function tempFolder(name = 'oka test-ü '): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
