import { beforeAll, it } from 'vitest';
import { buildWriter, killAfterGroups } from './many-at-once.ts';

beforeAll(buildWriter);

/** The moment within a round is random. */
it.each([20, 21, 22, 25, 30, 35, 40, 50, 60, 80])(
  'a writer that is killed after %i large groups loses nothing that it reported as stored',
  killAfterGroups,
);
