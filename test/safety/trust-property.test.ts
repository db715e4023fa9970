import { test } from 'vitest';
import { checkTrust } from './trust-property.ts';

test('nothing acts before the person approves that exact content, and everything approved acts', () =>
  checkTrust(5));
