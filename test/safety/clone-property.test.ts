import { test } from 'vitest';
import { checkClones } from './clone-property.ts';

test('nothing of a clone acts, sends or is remembered before the person approves that exact content', () =>
  checkClones(6));
