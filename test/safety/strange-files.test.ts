import { describe, it } from 'vitest';
import { STRANGE_FILES, tryEverywhere } from './strange-files.ts';

describe('commands end with an answer where a file of the configuration is', () => {
  it.each(STRANGE_FILES)('%s', (kind) => tryEverywhere(kind, 1));
});
