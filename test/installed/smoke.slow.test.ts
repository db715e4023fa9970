// Everything that the installed product loads only when it is needed, on each version of Node that it supports. One file,
// so that packing and installing happen once; the areas are in files of their own.

import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { Area } from './areas/area.ts';
import { commandsArea } from './areas/commands.ts';
import { embeddingArea, typesArea } from './areas/embedding.ts';
import { graphsArea } from './areas/graphs.ts';
import { ledgerArea } from './areas/ledger.ts';
import { mcpArea } from './areas/mcp.ts';
import { modelsArea } from './areas/models.ts';
import { replicationArea } from './areas/replication.ts';
import { terminalArea } from './areas/terminal.ts';
import { threadsArea } from './areas/threads.ts';
import { toolsArea } from './areas/tools.ts';
import { vaultArea } from './areas/vault.ts';
import { workArea } from './areas/work.ts';
import { InstalledOka, type NodeProgram, THIS_NODE } from './installed-oka.ts';

/** 22 joins once a whole run on it was seen to pass. */
const OTHER_NODES = [24];
const AREAS = {
  commands: commandsArea,
  embedding: embeddingArea,
  graphs: graphsArea,
  ledger: ledgerArea,
  mcp: mcpArea,
  models: modelsArea,
  replication: replicationArea,
  terminal: terminalArea,
  threads: threadsArea,
  tools: toolsArea,
  vault: vaultArea,
  work: workArea,
};

let oka: InstalledOka;
beforeAll(() => {
  oka = InstalledOka.install({ whole: true });
}, 600_000);
afterAll(() => oka.remove());

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
  };
  for (const [name, define] of Object.entries(AREAS)) describe(name, () => define(area));
});

describe('the installed package', () => typesArea({ oka: () => oka }));
