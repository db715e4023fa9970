import { test } from 'vitest';
import { checkTrust } from './trust-property.ts';

test('nothing acts before the person approves that exact content, in many generated workspaces', () =>
  checkTrust(200));
