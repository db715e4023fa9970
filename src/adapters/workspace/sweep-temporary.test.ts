import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFor } from '../../disk/index.ts';
import { sweepDaily, sweepLeft, sweepTemporary } from './sweep-temporary.ts';

const NOW = Date.now();
const HEX = '0123456789abcdef';

function places() {
  const root = mkdtempSync(join(tmpdir(), 'oka-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const workspace = join(root, 'workspace');
  const found = {
    workspace,
    directory: join(workspace, '.oka'),
    home: join(root, 'home'),
    system: join(root, 'tmp'),
  };
  for (const folder of Object.values(found)) mkdirSync(folder, { recursive: true });
  const put = (path: string, ageMs = 7_200_000): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    utimesSync(file, (NOW - ageMs) / 1_000, (NOW - ageMs) / 1_000);
    return file;
  };
  return { root, found, put };
}

/** The ID of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

it('removes leftovers of killed processes in every folder where Oka creates temporary files', () => {
  const { found, put } = places();
  const left = [
    'workspace/.oka/run_ledger.jsonl.new',
    'workspace/.oka/oka.db.rebuilt',
    'workspace/.oka/oka.db.rebuilt-wal',
    `workspace/.oka/active_task_graph.json.${deadPid()}.new`,
    `workspace/.oka/mcp.json.${deadPid()}.part`,
    `workspace/.oka/graphs/brief.json.${deadPid()}.part`,
    'workspace/.oka/memory/days/2026-01-01.md.new',
    'workspace/.oka/run/vault.new',
    `workspace/.oka/objects/ab/.${HEX}.tmp`,
    `workspace/src/.oka-${HEX}.tmp`,
    'home/trust.json.new',
    `home/repl-history.${deadPid()}.new`,
  ].map((path) => put(path));
  sweepTemporary(found, NOW);
  expect(left.filter((path) => existsSync(path))).toEqual([]);
});

it('keeps recent files, files of live processes, and files with other names', () => {
  const { found, put } = places();
  const kept = [
    put('workspace/.oka/run/vault.new', 60_000),
    put(`workspace/.oka/graphs/brief.json.${process.pid}.part`),
    put('workspace/.oka/graphs/mine.json.new'),
    put('workspace/.oka/agents/mine.md.new'),
    put('workspace/.oka/oka.db.before-rebuild-7'),
    put('workspace/.oka/objects/ab/cdef'),
    put('workspace/notes.new'),
    put('workspace/.oka-notes.tmp'),
    put('home/notes.new'),
  ];
  expect(sweepTemporary(found, NOW)).toEqual([]);
  expect(kept.filter((path) => !existsSync(path))).toEqual([]);
});

it('removes folders of dead processes from the temporary folder of the system', () => {
  const { found, put } = places();
  const dead = dirname(put(`tmp/oka-read-${deadPid()}-Ab12Cd/oka.db`));
  const living = dirname(put(`tmp/oka-process-${process.pid}-Ab12Cd/home`));
  for (const folder of [dead, living]) utimesSync(folder, NOW / 1_000 - 7_200, NOW / 1_000 - 7_200);
  expect(sweepTemporary(found, NOW)).toEqual([dead]);
  expect(existsSync(dead)).toBe(false);
});

it('follows no link', () => {
  const { root, found, put } = places();
  const file = put('elsewhere/brief.json.new');
  symlinkSync(join(root, 'elsewhere'), join(found.directory, 'memory'));
  expect(sweepTemporary(found, NOW)).toEqual([]);
  expect(existsSync(file)).toBe(true);
});

it('sweeps once a day', () => {
  const { found, put } = places();
  const left = put('workspace/.oka/run/vault.new');
  expect(sweepDaily(found, NOW)).toEqual([left]);
  put('workspace/.oka/run/vault.new');
  expect(sweepDaily(found, Date.now())).toEqual([]);
  expect(sweepDaily(found, Date.now() + 25 * 3_600_000)).toEqual([left]);
});

it('removes what killed processes left at once, in every folder, and keeps the files of others', () => {
  const { found, put } = places();
  const own = (pid: number): string => temporaryFor('').replace(String(process.pid), String(pid));
  const names = [
    '.oka/graphs/a.json',
    '.oka/graphs/versions/b.json',
    '.oka/run/c',
    '.oka/memory/d.md',
    'evals/e.json',
  ];
  const left = names.map((name) => put(`workspace/${name}${own(deadPid())}`, 0));
  const kept = [
    ...names.map((name) => put(`workspace/${name}${own(process.pid)}`, 0)),
    ...names.map((name) => put(`workspace/${name}`, 0)),
    put(`workspace/.oka/graphs/a.json.00000000-${deadPid()}.oka-new`, 0),
    put(`workspace/src/mine.ts${own(deadPid())}`, 0),
  ];
  expect([...sweepLeft(found)].sort()).toEqual([...left].sort());
  expect([...left, ...kept].filter((path) => existsSync(path))).toEqual(kept);
});
