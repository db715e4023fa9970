import { describe } from 'vitest';

// The same tests with many more cases.
process.env['OKA_CASES'] = '40';
describe('many endings', async () => {
  await import('./endings-of-runs.test.ts');
  await import('./account.test.ts');
});
