import { test } from 'vitest';
import { pauseAfter } from './pause-after.ts';

test.each([0, 1, 3])('a conversation that is paused after %i turns continues where it was', pauseAfter);
