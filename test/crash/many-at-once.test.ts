import { beforeAll, it } from 'vitest';
import { buildWriter, killAfterGroups } from './many-at-once.ts';

beforeAll(buildWriter);

it('a writer that is killed loses nothing that it reported as stored', () => killAfterGroups(20));
