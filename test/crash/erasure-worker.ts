// A process that deletes a fact and kills itself (SIGKILL) when the database has erased it, before any file has.
// `node erasure-worker.js <workspace> <home> <fact>`.
import { LedgerArchive } from '../../src/adapters/sqlite/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { die } from '../support/doomed-store.ts';

const [workspace, home, fact] = process.argv.slice(2) as [string, string, string];
const { erase } = LedgerArchive.prototype;
LedgerArchive.prototype.erase = function (...args): void {
  erase.apply(this, args);
  die();
};
const oka = new Oka({ workspace, home });
await oka.memory.deleteFact(fact, 'test');
await oka.close();
