import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('the line of a synced event is in the mirror before the event is acknowledged', async () => {
  const workspace = tempFolder();
  const ledger = openTestLedger(workspace);
  await ledger.startWriting();
  for (let i = 0; i < 20; i++) {
    const events = [{ type: 'thing.happened', data: { i } }];
    await ledger.store.commit({ actor: 'test', sync: 'full', appends: [{ stream: 'a', events }] });
    expect(readFileSync(join(workspace, '.oka', 'run_ledger.jsonl'), 'utf8')).toContain(`"data":{"i":${i}}`);
  }
  await ledger.close();
});
