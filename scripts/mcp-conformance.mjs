// Tries Oka's MCP server with other people's clients: the conformance suite and the inspector. They need a newer Node than
// Oka does and are installed into test/mcp-serve/peers when they are first wanted. Writes docs/mcp-conformance.md; with
// --json it prints what it found instead. Exits with 1 when something required failed, 2 when the peers are not to be had.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tryInspector } from '../test/mcp-serve/conformance/inspector.mjs';
import { installPeers } from '../test/mcp-serve/conformance/peers.mjs';
import { report } from '../test/mcp-serve/conformance/report.mjs';
import { startFixtures, startOka } from '../test/mcp-serve/conformance/servers.mjs';
import { OWN_SCENARIOS, REVISIONS, runRequired, runScenarios } from '../test/mcp-serve/conformance/suite.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const inJson = process.argv.includes('--json');

function say(text) {
  process.stderr.write(`${text}\n`);
}

async function tryAll(peers) {
  const fixtures = await startFixtures(root);
  const required = {};
  try {
    for (const revision of REVISIONS) {
      say(`the suite, revision ${revision}, on the fixtures`);
      required[revision] = await runRequired(peers, fixtures, revision);
    }
  } finally {
    await fixtures.stop();
  }
  const oka = await startOka(root);
  const own = {};
  try {
    for (const revision of REVISIONS) {
      say(`the suite, revision ${revision}, on oka mcp serve`);
      own[revision] = await runScenarios(peers, oka, revision, OWN_SCENARIOS[revision]);
    }
    say('the inspector, on oka mcp serve');
    return { versions: peers.versions, required, own, inspector: await tryInspector(peers, oka) };
  } finally {
    await oka.stop();
  }
}

let peers;
try {
  peers = installPeers(say);
} catch (error) {
  say(`The peers cannot be installed, so nothing was tried: ${error.message}`);
  process.exit(2);
}
const found = await tryAll(peers);
if (inJson) process.stdout.write(`${JSON.stringify(found)}\n`);
else {
  writeFileSync(join(root, 'docs', 'mcp-conformance.md'), report(found));
  say('wrote docs/mcp-conformance.md');
}
const scenarios = [...Object.values(found.required), ...Object.values(found.own)].flat();
const failed = [
  ...scenarios.filter(({ scored, failed: checks }) => scored && checks > 0).map(({ name }) => name),
  ...found.inspector.filter(({ ok }) => !ok).map(({ what }) => what),
];
for (const name of failed) say(`failed: ${name}`);
process.exitCode = failed.length === 0 ? 0 : 1;
