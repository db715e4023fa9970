import { test } from 'vitest';
import { checkClones } from './clone-property.ts';

test('nothing of a clone acts, sends or is remembered without approval, in many generated clones', () =>
  checkClones(150));
