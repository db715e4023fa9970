import { describe } from 'vitest';
import { findPostgres, NO_POSTGRES } from '../support/postgres.ts';

/** Describes tests that need PostgreSQL. Where there is none, they are skipped, and the output says why. */
export function describeWithPostgres(name: string, tests: () => void): void {
  const isMissing = findPostgres() === undefined;
  if (isMissing) process.stderr.write(`${name}: ${NO_POSTGRES}.\n`);
  describe.skipIf(isMissing)(isMissing ? `${name}, ${NO_POSTGRES}` : name, tests);
}
