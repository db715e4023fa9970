// Everything that the installed product loads only when it is needed, on each version of Node that it supports. One file,
// so that packing and installing happen once; the areas are in files of their own.

import { afterAll, beforeAll, beforeEach, describe, expect, type RunnerTask } from 'vitest';
import type { Area } from './areas/area.ts';
import { clusterArea } from './areas/cluster.ts';
import { commandsArea } from './areas/commands.ts';
import { embeddingArea } from './areas/embedding.ts';
import { graphsArea } from './areas/graphs.ts';
import { ledgerArea } from './areas/ledger.ts';
import { libraryArea } from './areas/library.ts';
import { mcpArea } from './areas/mcp.ts';
import { modelsArea } from './areas/models.ts';
import { pagesOfTheDocumentation } from './areas/pages.ts';
import { replicationArea } from './areas/replication.ts';
import { terminalArea } from './areas/terminal.ts';
import { threadsArea } from './areas/threads.ts';
import { toolsArea } from './areas/tools.ts';
import { vaultArea } from './areas/vault.ts';
import { workArea } from './areas/work.ts';
import { InstalledOka, type NodeProgram, THIS_NODE } from './installed-oka.ts';

const OTHER_NODES = [22, 24];
const AREAS = {
  commands: commandsArea,
  embedding: embeddingArea,
  graphs: graphsArea,
  ledger: ledgerArea,
  mcp: mcpArea,
  models: modelsArea,
  replication: replicationArea,
  cluster: clusterArea,
  terminal: terminalArea,
  threads: threadsArea,
  tools: toolsArea,
  vault: vaultArea,
  work: workArea,
};

/** Files of the command line that no area loads, without the digest in their names, and why. */
const MACHINE_ID = 'OpenTelemetry reads the id of the machine with it, which Oka does not report';
const LEFT_OUT = {
  chunk: MACHINE_ID,
  'getMachineId-bsd': MACHINE_ID,
  'getMachineId-darwin': MACHINE_ID,
  'getMachineId-linux': MACHINE_ID,
  'getMachineId-unsupported': MACHINE_ID,
  'getMachineId-win': MACHINE_ID,
  webapi: 'signs in to MCP servers with a private key, which Oka does not offer',
};

let oka: InstalledOka;
beforeAll(() => {
  oka = InstalledOka.install({ whole: true });
}, 600_000);
afterAll(() => oka.remove());

/** Each lazy import is a file of its own, so a file that no process loaded is a lazy import that no area uses. */
function expectEveryFileLoaded(node: NodeProgram): void {
  const missed = oka
    .neverLoaded(node)
    .map((file) => file.replace(/-[0-9A-Z]{8}\.cjs$/, ''))
    .sort();
  expect(missed, 'each lazily loaded file needs a line in an area').toEqual(Object.keys(LEFT_OUT).sort());
}

function isComplete(task: RunnerTask): boolean {
  if (task.type === 'suite') return task.tasks.every(isComplete);
  return task.result?.state === 'pass';
}

describe('the documentation, from an empty home', () => pagesOfTheDocumentation(() => oka));

const [, THIS_MAJOR] = /^v(\d+)/.exec(THIS_NODE.version) ?? [];
const MAJORS = [Number(THIS_MAJOR), ...OTHER_NODES.filter((major) => major !== Number(THIS_MAJOR))];

describe.each(MAJORS)('the installed product on Node %s', (major) => {
  let node: NodeProgram | string = THIS_NODE;
  beforeAll(() => {
    if (major !== Number(THIS_MAJOR)) node = oka.otherNode(major);
  }, 600_000);
  beforeEach(({ skip }) => {
    if (typeof node === 'string') skip(node);
  });

  const area: Area = {
    oka: () => oka,
    open: (options) => oka.open({ ...options, node: node as NodeProgram }),
    recorded: () => oka.recorded(node as NodeProgram),
  };
  for (const [name, define] of Object.entries(AREAS)) describe(name, () => define(area));

  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this parameter
  afterAll(({}, suite) => {
    // What a skipped or failed test would have loaded is missing too.
    if (suite.tasks.every(isComplete)) expectEveryFileLoaded(node as NodeProgram);
  });
});

describe('the installed package', () => libraryArea({ oka: () => oka }));
