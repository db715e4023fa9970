// A workspace with scripted agents, a server whose pages strangers wrote, and a server that collects what reaches it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ApprovalView, RunAnswer } from '../../src/api/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { writeRoom } from '../chat/chat-room.ts';
import { tempFolder } from '../support/temp-folder.ts';

type Call = readonly [tool: string, input: object];

interface Servers extends Pick<TaintWorld, 'leaked'> {
  page: string;
  evil: string;
  answer: () => string;
}

export class TaintWorld {
  readonly root: string;
  readonly home: string;
  /** The address of the server with pages. */
  readonly page: string;
  /** The address of the server that no goal or rule names. */
  readonly evil: string;
  /** The requests that reached that server. */
  readonly leaked: string[];
  /** What the pages say: a text, or `Location: ` and the address of another page. */
  pageText: string;
  oka: Oka;

  private constructor(servers: Servers, text: string, config: object) {
    this.pageText = text;
    servers.answer = () => this.pageText;
    this.root = tempFolder();
    this.home = join(tempFolder(), 'home');
    this.page = servers.page;
    this.evil = servers.evil;
    this.leaked = servers.leaked;
    writeRoom(this.root, this.home, {});
    const hosts = [this.page, this.evil].map((url) => new URL(url).host);
    this.putAtHome('config.json', JSON.stringify({ allow_private: hosts, ...config }));
    this.oka = new Oka({ workspace: this.root, home: this.home });
  }

  static async open({
    text = 'a page',
    config = {},
  }: {
    text?: string;
    config?: object;
  } = {}): Promise<TaintWorld> {
    const leaked: string[] = [];
    const servers: Servers = { page: '', evil: '', leaked, answer: () => text };
    const page = await serve(() => servers.answer());
    const evil = await serve((url) => {
      leaked.push(url);
      return 'thanks';
    });
    const world = new TaintWorld(Object.assign(servers, { page, evil }), text, config);
    onTestFinished(() => world.oka.close());
    return world;
  }

  /** An agent whose model makes these calls, one after the other, whatever it reads. */
  agent(name: string, ...calls: readonly Call[]): void {
    const turns = calls.map(([tool, input]) => ({
      once: true,
      text: 'I work.',
      tool_calls: [{ tool, input }],
    }));
    this.put(`scripts/${name}.json`, JSON.stringify({ turns: [...turns, { text: 'Done.' }] }));
    this.put(
      `.oka/agents/${name}.md`,
      `---\nname: ${name}\nprovider: scripted\nscript: scripts/${name}.json\n---\nYou are ${name}.\n`,
    );
  }

  /** Runs an agent on a goal until it ends or waits. */
  do(agent: string, goal: string): Promise<RunAnswer> {
    return this.oka.do({ goal, agent, simulate: false, budgets: {}, patienceMs: 0 } as never);
  }

  /** Makes the calls in one run. */
  async calls(goal: string, ...calls: readonly Call[]): Promise<RunAnswer> {
    this.#agents += 1;
    const name = `agent${this.#agents}`;
    this.agent(name, ...calls);
    return this.do(name, goal);
  }
  #agents = 0;

  /** What waits for a person. */
  asked(): Promise<readonly ApprovalView[]> {
    return this.oka.approvals.list({ status: 'pending' });
  }

  async isUntrusted({ run }: RunAnswer): Promise<boolean> {
    return (await this.oka.runs.explain(run.id)).untrusted !== undefined;
  }

  /** Approves everything that a run asks for. */
  async approveAll(answer: RunAnswer): Promise<RunAnswer> {
    for (let round = 0; round < 10; round += 1) {
      const open = (await this.asked()).filter(({ run }) => run === answer.run.id);
      if (open.length === 0) break;
      for (const { id } of open) await this.oka.approvals.approve({ id, by: 'ann' }, 0);
    }
    return this.oka.runs.show(answer.run.id);
  }

  async reopen(): Promise<void> {
    await this.oka.close();
    this.oka = new Oka({ workspace: this.root, home: this.home });
  }

  put(path: string, content: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  putAtHome(path: string, content: string): void {
    writeFileSync(join(this.home, path), content);
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }
}

async function serve(answer: (url: string) => string): Promise<string> {
  const server = createServer((request, response) => {
    const text = answer(request.url ?? '');
    const location = /^Location: (.+)$/.exec(text)?.[1]?.replace('PATH', request.url ?? '');
    if (location !== undefined) response.writeHead(302, { location }).end();
    else response.setHeader('content-type', 'text/plain').end(text);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
