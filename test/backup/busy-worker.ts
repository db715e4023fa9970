// Adds facts and does runs in a loop, and says so after each, until it is killed.
import { Oka } from '../../src/runtime/index.ts';

const [workspace = '', home = ''] = process.argv.slice(2);
const oka = new Oka({ workspace, home });
for (let i = 0; ; i += 1) {
  await oka.memory.addFact({ text: `bed ${i} has ${i} tulips`, by: 'worker' });
  process.stdout.write(`fact ${i}\n`);
  if (i % 10 !== 0) continue;
  const { run } = await oka.do({
    goal: 'write a brief of this folder to BRIEF.md',
    simulate: false,
    budgets: {},
    patienceMs: 0,
  });
  process.stdout.write(`run ${run.id}\n`);
}
