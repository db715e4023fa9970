// Checks every invariant with a few sequences. `npm run test:exhaustive` checks each with at least a thousand.
import '../budget-trees.walk.test.ts';
import './approval-enforcement.exhaustive.test.ts';
import './artifact-integrity.exhaustive.test.ts';
import './budget-enforcement.exhaustive.test.ts';
import './cache-correctness.exhaustive.test.ts';
import './ledger-completeness.exhaustive.test.ts';
import './replay-determinism.exhaustive.test.ts';
import './tool-eligibility.exhaustive.test.ts';
import './transition-validity.exhaustive.test.ts';
