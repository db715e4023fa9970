// Commits large groups one after the other, and prints a line after each stored one.
import { processOwners } from '../../src/adapters/processes/index.ts';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import { SqliteLedger } from '../../src/runtime/ledger/sqlite-ledger.ts';

const [workspace = '', size = ''] = process.argv.slice(2);
const folder = new WorkspaceFolder(workspace);
folder.create();
const ledger = new SqliteLedger(folder, {
  clock: systemClock,
  random: systemRandom,
  owners: processOwners(),
});
await ledger.startWriting();

for (let round = 0; ; round++) {
  const commits = Array.from({ length: Number(size) }, (_, i) =>
    ledger.events.commit({
      actor: 'test',
      sync: round % 3 === 0 ? 'full' : 'normal',
      appends: [
        {
          stream: `many/${i}`,
          expectedIndex: round,
          events: [{ type: 'thing.happened', data: { round }, body: { i } }],
        },
      ],
    }),
  );
  await Promise.all(commits);
  process.stdout.write(`${round}\n`);
}
