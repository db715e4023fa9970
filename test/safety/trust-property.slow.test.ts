import { test } from 'vitest';
import { checkTrust } from './trust-property.ts';

test('nothing acts before the person approved that very content, in many generated workspaces', () =>
  checkTrust(200));
