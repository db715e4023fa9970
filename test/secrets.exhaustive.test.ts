import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ToolDetails } from '../src/api/index.ts';
import { digestOf, type Json, type JsonObject } from '../src/kernel/index.ts';
import { Oka } from '../src/runtime/index.ts';
import { tempFolder } from './support/temp-folder.ts';
import { filesHolding } from './vault/vault-kit.ts';

const NAME = 'house';

/** Values as people have them: keys, passwords with signs that have to be escaped somewhere, whole sentences. */
const values = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...'ABCdef0123456789_-'), minLength: 12, maxLength: 48 }),
    fc.string({ unit: fc.constantFrom(...'aB3"\\\'%&+/=?# $<>{}äß€'), minLength: 12, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 12, maxLength: 30 }),
  )
  .filter((value) => value.trim() === value && !/[\r\n\0\p{Cs}]/u.test(value) && new Set(value).size > 4);

/** A server that says back everything it was sent, and answers as a model where it is asked for one. */
async function echo(heard: string[]): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      heard.push(body);
      const said = JSON.stringify({ headers: request.headers, url: request.url, body });
      if (request.url !== '/v1/chat/completions') return response.end(said);
      const answer = { role: 'assistant', content: `I was told: ${request.headers.authorization}` };
      const choices = [{ index: 0, delta: answer, finish_reason: 'stop' }];
      response.setHeader('content-type', 'text/event-stream');
      return response.end(
        `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', choices })}\n\ndata: [DONE]\n\n`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** An input that holds the value wherever a text may stand. */
function filledWith(value: string, schema: JsonObject): Json {
  const { type, properties, items, enum: choices } = schema as Record<string, never>;
  if (choices !== undefined) return (choices as Json[])[0] as Json;
  if (type === 'string') return value;
  if (type === 'array') return [filledWith(value, (items ?? { type: 'string' }) as JsonObject)];
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'boolean') return false;
  const members = Object.entries((properties ?? {}) as Record<string, JsonObject>);
  return Object.fromEntries(members.map(([name, member]) => [name, filledWith(value, member)]));
}

async function spread(value: string): Promise<void> {
  const notes = `before ${value} after\n${Buffer.from(value).toString('base64')}\n`;
  const workspace = tempFolder();
  const home = tempFolder();
  const prompts: string[] = [];
  const { server, port } = await echo(prompts);
  const seen: unknown[] = [];
  const oka = new Oka({
    workspace,
    home,
    onWarning: (what) => seen.push(what),
  });
  const hear = {
    patienceMs: 0,
    onEvent: (event: unknown) => seen.push(event),
    onText: (text: string) => seen.push(text),
  };
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    seen.push(
      await work.catch((error: unknown) => ({
        message: String(error),
        data: (error as { data?: unknown }).data,
      })),
    );
  };
  try {
    await oka.init({ trust: true });
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({
        allow_private: [`127.0.0.1:${port}`],
        models: {
          echo: {
            provider: 'openai-compatible',
            model: 'm',
            base_url: `http://127.0.0.1:${port}/v1`,
            api_key: { vault: NAME },
          },
        },
        hooks: [{ on: 'after_node', command: ['cat'] }],
      }),
    );
    writeFileSync(
      join(home, 'POLICY.md'),
      '| match | decision | why |\n|---|---|---|\n| * and any input | allow | a test |\n',
    );
    writeFileSync(join(workspace, 'AGENTS.md'), `Remember ${value} well.`);
    writeFileSync(join(workspace, 'notes.txt'), notes);
    mkdirSync(join(workspace, '.oka', 'agents'), { recursive: true });
    writeFileSync(
      join(workspace, '.oka', 'agents', 'anton.md'),
      `---\nname: anton\n---\nYou know ${value}.\n`,
    );
    await oka.vault.add({ name: NAME, value, scopes: ['*'], keySource: 'file', by: 'ann' });

    // The person's own words, and a model's: in the goal, in the prompt, and in what streams back.
    await attempt(oka.do({ goal: `tell me about ${value}`, simulate: false, budgets: {}, ...hear }));
    await attempt(
      oka.do({ goal: `write "${value}" to kept.txt`, model: 'none', simulate: false, budgets: {}, ...hear }),
    );
    // Every tool, with the value wherever a text may stand.
    for (const { name } of await oka.tools.list()) {
      const details: ToolDetails = await oka.tools.show(name);
      await attempt(oka.tools.call({ tool: name, input: filledWith(value, details.input), ...hear }));
    }
    // Tools that find it by themselves, and tools that are given it by name.
    const call = (tool: string, input: Json): Promise<void> =>
      attempt(oka.tools.call({ tool, input, ...hear }));
    await call('files.read', { path: 'notes.txt' });
    await call('files.search', { query: 'before' });
    await call('files.edit', { path: 'notes.txt', old: 'before', new: 'changed' });
    await call('http.fetch', { url: `http://127.0.0.1:${port}/`, headers: { 'x-key': `{{vault.${NAME}}}` } });
    const print =
      'const v = process.env.V; console.log(v, encodeURIComponent(v), JSON.stringify(v)); console.error(Buffer.from(v).toString("hex")); process.exit(3)';
    await call('process.run', { argv: [process.execPath, '-e', print], secrets: { V: NAME } });
    for (const { id } of await oka.runs.list({ limit: 100 })) {
      seen.push(await oka.runs.explain(id), await oka.runs.show(id));
    }
    seen.push(await oka.approvals.list({}), await oka.vault.list(), await oka.vault.uses(undefined, 100));
    for await (const line of oka.ledger.export()) seen.push(line);
    expect((await oka.ledger.verify({ full: true })).faults).toEqual([]);
  } finally {
    await oka.close();
    server.close();
  }

  const said = JSON.stringify(seen);
  expect(said).toContain(`[redacted ${NAME}]`);
  if (/^[\x21-\x7e]+$/.test(value)) expect(said, 'the model was asked with its key').toContain('I was told');
  for (const form of [
    value,
    JSON.stringify(value).slice(1, -1),
    Buffer.from(value).toString('hex'),
    encodeURIComponent(value),
  ])
    expect(said.includes(JSON.stringify(form).slice(1, -1)), `told in the form ${form}`).toBe(false);
  const bodies = prompts.join('\n');
  expect(
    bodies.includes(value) || bodies.includes(JSON.stringify(value).slice(1, -1)),
    'asked of a model',
  ).toBe(false);
  // What a person wrote into their own files stays there, also in the copy that undoing an edit needs.
  const own = [digestOf(notes), 'anton.md'].map((name) => name.slice(2));
  const held = filesHolding([join(workspace, '.oka'), home], value);
  expect(held.filter((path) => !own.some((name) => path.endsWith(name)))).toEqual([]);
}

it('keeps the value of a credential out of every record, prompt, answer and error', async () => {
  await fc.assert(fc.asyncProperty(values, spread), {
    numRuns: 15,
    seed: 20261115,
    endOnFailure: true,
  });
});
