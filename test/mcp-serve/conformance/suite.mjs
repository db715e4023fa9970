import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'yaml';

const TOKEN = pathToFileURL(fileURLToPath(new URL('with-token.mjs', import.meta.url))).href;

/** The revisions of the protocol that Oka speaks. */
export const REVISIONS = ['2025-11-25', '2026-07-28'];

/** What can be asked of any server, without tools of the suite's choosing. */
export const OWN_SCENARIOS = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'logging-set-level',
    'completion-complete',
    'tools-list',
    'resources-list',
    'resources-subscribe',
    'resources-unsubscribe',
    'prompts-list',
    'server-sse-multiple-streams',
    'server-session-lifecycle',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'completion-complete',
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'http-header-validation',
    'caching',
    'dns-rebinding-protection',
  ],
};

/** Everything that a revision names, required or not: `{ name, scored, why?, passed, failed, problems }` for each scenario. */
export async function runRequired(peers, server, revision) {
  const { server: scored, not_scored: others } = parse(
    readFileSync(join(peers.requirements, `${revision}.yaml`), 'utf8'),
  );
  const why = new Map(others.filter(({ leg }) => leg === 'server').map((one) => [one.scenario, one.reason]));
  const results = await runSuite(peers, server, ['--requirements', revision]);
  const missing = scored.filter((name) => !results.has(name));
  if (missing.length > 0) throw new Error(`the suite did not run ${missing.join(', ')}`);
  return [...results].map(([name, checks]) => ({
    name,
    scored: scored.includes(name),
    ...(why.has(name) ? { why: why.get(name) } : {}),
    ...checks,
  }));
}

/** Single scenarios, all of which count. */
export async function runScenarios(peers, server, revision, names) {
  const found = [];
  for (const name of names) {
    const results = await runSuite(peers, server, ['--scenario', name, '--spec-version', revision]);
    const checks = results.get(name);
    if (checks === undefined) throw new Error(`the suite did not run ${name} for ${revision}`);
    found.push({ name, scored: true, ...checks });
  }
  return found;
}

async function runSuite(peers, server, args) {
  const output = mkdtempSync(join(tmpdir(), 'oka-conformance-'));
  try {
    await run(peers, server, [...args, '--output-dir', output]);
    const results = readdirSync(output, { recursive: true })
      .filter((path) => path.endsWith('checks.json'))
      .sort()
      .map((path) => [nameOf(path), countChecks(JSON.parse(readFileSync(join(output, path), 'utf8')))]);
    return new Map(results);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

function run(peers, server, args) {
  const command = ['--import', TOKEN, peers.suite, 'server', '--url', server.url, ...args];
  const child = spawn(peers.node, command, {
    env: { PATH: process.env.PATH, OKA_PEER_TOKEN: server.token },
    stdio: 'ignore',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
}

/** `server-<scenario>-<time>/checks.json` */
function nameOf(path) {
  return /server-(.+)-\d{4}-\d{2}-\d{2}T[^/\\]*[/\\]checks\.json$/.exec(path)[1];
}

function countChecks(checks) {
  const failures = checks.filter(({ status }) => status === 'FAILURE');
  return {
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failed: failures.length,
    problems: [...new Set(failures.map(({ id, errorMessage }) => `${id}: ${errorMessage}`))],
  };
}
