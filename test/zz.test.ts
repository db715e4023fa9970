import { it } from 'vitest';
import { readGoal } from '../src/agent/read-goal.ts';
it('x', () => { for (const piece of ['"', "'", '`', '[(', './', 'a.b ', '“']) { const t = performance.now(); readGoal(piece.repeat(20_000)); console.log(piece, performance.now() - t); } });
