// The slow tests go through every kind. The kinds of a graph's remedies, of a crash and of a model are checked here.
import { test } from 'vitest';
import { checkRecovery } from './check-recovery.ts';
import { RECOVERIES } from './recovery-cases.ts';

const SAMPLE = RECOVERIES.filter(([kind]) => ['on_error', 'recovered', 'fallback_model'].includes(kind));

test.each(SAMPLE)('%s is shown with its reason in the live view, explain and the narrative: %s', (...one) =>
  checkRecovery(one),
);
