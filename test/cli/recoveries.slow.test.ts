import { test } from 'vitest';
import { checkRecovery } from './check-recovery.ts';
import { RECOVERIES } from './recovery-cases.ts';

test.each(RECOVERIES)(
  '%s is shown with its reason in the live view, explain and the narrative: %s',
  (...one) => checkRecovery(one),
);
