import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Ingress } from '../../src/adapters/restate/index.ts';
import {
  mailboxTarget,
  projectTarget,
  runTarget,
  schedulesTarget,
} from '../../src/adapters/restate/names.ts';
import type { JsonObject } from '../../src/kernel/index.ts';
import { trustFolder } from '../support/trust-folder.ts';
import { onClusters, until } from './scale-world.ts';
import { TestWorkspace } from './test-workspace.ts';

const DEPOT_TOKEN = 'another token that only the tests know';

/** A run that waits for an event. */
async function waitingRun(project: TestWorkspace) {
  project.graph('wait', 'nap', [{ node_id: 'nap', type: 'wait', event: 'paid', next: 'end' }]);
  return project.run('wait');
}

/** Runs a graph, and approves a request that needs it. */
async function approved(project: TestWorkspace, graph: string, input: JsonObject) {
  const run = await project.run(graph, input);
  if (run.waitingFor?.what !== 'approval') return run;
  return (await project.oka.approvals.approve({ id: run.id, by: 'ann' }, 0)).run;
}

onClusters((world) => {
  it('refuses a caller without the token of the project, and one with a wrong token', async () => {
    const target = { service: 'oka_run', handler: 'drive', key: 'shop/any' };
    const url = world().restate?.ingress ?? '';
    for (const token of ['', 'a wrong token']) {
      const call = new Ingress({ url, project: 'shop', token }).call(target, {});
      await expect(call).rejects.toMatchObject({ code: 'cluster.forbidden' });
    }
    const other = new Ingress({ url, project: 'office', token: 'a wrong token' });
    await expect(other.call({ ...target, key: 'office/any' }, {})).rejects.toMatchObject({
      code: 'cluster.forbidden',
    });
  });

  it('serves no two projects that have the same token', async () => {
    const other = join(world().home, '..', 'office');
    mkdirSync(join(other, '.oka'), { recursive: true });
    trustFolder(world().home, other);
    await expect(world().startWorker(world().workspace, other)).rejects.toThrow(/have the same token/);
  });

  describe('with two projects on one worker', () => {
    let depot: TestWorkspace;
    const all = () => [world() as TestWorkspace, depot];
    const nameOf = ({ workspace }: TestWorkspace): string => basename(workspace);

    beforeAll(async () => {
      process.env['OKA_PROJECT_TOKEN_DEPOT'] = DEPOT_TOKEN;
      const workspace = join(dirname(world().workspace), 'depot');
      mkdirSync(join(workspace, '.oka', 'graphs'), { recursive: true });
      trustFolder(world().home, workspace);
      depot = new TestWorkspace({ workspace, home: world().home });
      await depot.oka.init({ trust: true });
      // Workers behind one address serve the same projects, so none may be left that does not know the new one.
      for (const worker of [...world().workers]) await world().stopWorker(worker);
      await world().startWorker(world().workspace, workspace);
    });
    afterAll(async () => {
      await depot?.oka.close();
      delete process.env['OKA_PROJECT_TOKEN_DEPOT'];
    });

    it('runs graphs, conversations and schedules of both at once, and shows each only its own', async () => {
      for (const project of all()) {
        const args = { path: 'note.txt', content: `for ${nameOf(project)}` };
        project.graph('note', 'write', [
          { node_id: 'write', type: 'tool', tool: 'files.write', args, next: 'end' },
        ]);
        project.agent('bob', [{ text: `I work for ${nameOf(project)}.` }]);
        await project.oka.chat.create({ name: 'room', by: 'ann' });
      }
      const seen = await Promise.all(
        all().map(async (project) => {
          const { oka } = project;
          const runs = await Promise.all(Array.from({ length: 5 }, () => project.run('note')));
          await oka.chat.send({ conversation: 'room', text: '@bob whom do you work for?', by: 'ann' });
          const schedule = await oka.graphs.schedules.add({
            graph: 'note',
            cron: '0 0 1 1 *',
            zone: 'UTC',
            by: 'ann',
          });
          const fired = await oka.graphs.schedules.trigger(schedule.id, 'ann', 0);
          const { fact } = await oka.memory.addFact({
            text: `The code of ${nameOf(project)} is 7.`,
            by: 'ann',
          });
          const said = await until(async () => {
            const { messages } = await oka.chat.view({ conversation: 'room' });
            return messages[1]?.content;
          });
          return { project, runs: [...runs, fired.run], schedule, fact, said };
        }),
      );
      const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).sort();
      for (const [at, { project, runs, schedule, fact, said }] of seen.entries()) {
        const { oka } = project;
        const name = nameOf(project);
        expect(runs.map((run) => run?.status)).toEqual(Array(6).fill('completed'));
        expect(said).toBe(`I work for ${name}.`);
        expect(readFileSync(join(project.workspace, 'note.txt'), 'utf8')).toBe(`for ${name}`);
        const notes = (await oka.graphs.runs('note', 100, false)).map(({ id }) => id).sort();
        expect(notes).toEqual(idsOf(runs as never));
        expect(idsOf(await oka.graphs.schedules.list())).toEqual([schedule.id]);
        expect(idsOf(await oka.memory.listFacts({ limit: 10 }))).toEqual([fact.id]);
        const found = await oka.memory.searchFacts({ query: 'code of shop or depot', limit: 10 });
        expect(found.hits.map(({ id }) => id)).toEqual([fact.id]);
        expect(await oka.ledger.verify({ full: true })).toMatchObject({ faults: [] });

        const other = seen[1 - at];
        const [foreign] = other?.runs ?? [];
        await expect(oka.runs.show(foreign?.id ?? '')).rejects.toMatchObject({ code: 'engine.unknown_run' });
        const [written] = (await other?.project.oka.runs.show(foreign?.id ?? ''))?.run.artifacts ?? [];
        expect(written?.digest).toBeDefined();
        const reading = oka.runs.artifact(runs[0]?.id ?? '', written?.digest ?? '');
        await expect(reading).rejects.toMatchObject({ code: 'engine.artifact_missing' });
      }
    });

    it('refuses a call with the token of the other project, at each object', async () => {
      const url = world().restate?.ingress ?? '';
      const owners = [
        ['shop', DEPOT_TOKEN],
        ['depot', process.env['OKA_PROJECT_TOKEN'] ?? ''],
      ] as const;
      for (const [name, token] of owners)
        for (const target of [
          runTarget(name, 'any'),
          mailboxTarget(name, { agent: 'bob', conversation: 'room' }),
          schedulesTarget(name),
          projectTarget(name),
        ]) {
          const call = new Ingress({ url, project: name, token }).call(target, {});
          await expect(call, JSON.stringify(target)).rejects.toMatchObject({ code: 'cluster.forbidden' });
        }
      const quota = { service: 'oka_quota', handler: 'release', key: 'shop' };
      const call = new Ingress({ url, project: 'shop', token: DEPOT_TOKEN }).call(quota, { run: 'any' });
      await expect(call).rejects.toThrow();
    });

    it('serves no two projects whose ledgers are in one schema', async () => {
      const file = join(world().home, 'config.json');
      const before = readFileSync(file, 'utf8');
      const config = JSON.parse(before) as { ledger: object };
      writeFileSync(file, JSON.stringify({ ...config, ledger: { ...config.ledger, schema: 'oka_both' } }));
      try {
        const starting = world().startWorker(world().workspace, depot.workspace);
        await expect(starting).rejects.toThrow(/have the same ledger schema/);
      } finally {
        writeFileSync(file, before);
      }
    });

    it('drives no run of the other project', async () => {
      const { id } = await waitingRun(world());
      const own = new Ingress({ url: world().restate?.ingress ?? '', project: 'depot', token: DEPOT_TOKEN });
      await expect(own.call(runTarget('depot', id), {})).rejects.toMatchObject({
        code: 'engine.unknown_run',
      });
      expect(await world().oka.runs.show(id)).toMatchObject({ run: { status: 'waiting' } });
    });

    it('gives a run only the credentials of its own project', async () => {
      const { host } = new URL(world().counter);
      for (const project of all()) {
        const name = nameOf(project);
        for (const key of ['shared', `only_${name}`])
          await project.oka.vault.add({
            name: key,
            value: `${key}-of-${name}-0123456789`,
            scopes: [`host:${host}`],
            keySource: 'file',
            by: 'ann',
          });
        project.graph('send', 'ask', [
          {
            node_id: 'ask',
            type: 'tool',
            tool: 'http.fetch',
            args: { url: `${world().counter}${name}`, headers: { 'x-key': '{{input.key}}' } },
            next: 'end',
          },
        ]);
      }
      const sent: string[] = [];
      world().onEffect = (path, headers) => void sent.push(`${path} ${headers['x-key']}`);
      for (const project of all())
        expect(await approved(project, 'send', { key: '{{vault.shared}}' })).toMatchObject({
          status: 'completed',
        });
      expect(sent).toEqual(['/shop shared-of-shop-0123456789', '/depot shared-of-depot-0123456789']);
      expect(await approved(depot, 'send', { key: '{{vault.only_shop}}' })).toMatchObject({
        status: 'failed',
        failure: { code: 'http.secret_missing' },
      });
      expect(sent).toHaveLength(2);
    });
  });
});
