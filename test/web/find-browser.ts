import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The browser of this machine, which tests of the web app use. None is downloaded. */
export const browserPath = NAMES.flatMap((name) =>
  (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)),
).find(isProgram);

export const hasBrowser = browserPath !== undefined;
if (!hasBrowser)
  process.stderr.write(`Tests of the web app are skipped: none of ${NAMES.join(', ')} is on the PATH.\n`);

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
