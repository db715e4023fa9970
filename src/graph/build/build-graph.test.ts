import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, TOOLS } from '../../../test/support/build-tools.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { isOkaError, type Json } from '../../kernel/index.ts';
import { ScriptedProvider } from '../../models/index.ts';
import type { GraphNode } from '../types.ts';
import { buildGraph } from './build-graph.ts';
import type { BuildAttempt, BuiltGraph } from './types.ts';

const options = { tools: TOOLS, compile };

/** The nodes between start and end as short lines: what they do, and where they lead. */
function outline({ definition }: BuiltGraph): string[] {
  return definition.nodes
    .filter(({ type }) => type !== 'start' && type !== 'end')
    .map((node) => `${node.node_id}: ${deedOf(node)} -> ${waysOf(node)}`);
}

function deedOf(node: GraphNode): string {
  if (node.type === 'tool') return `${node.tool} ${JSON.stringify(node.args)}`;
  if (node.type === 'typed_condition')
    return `${String(node.left)} ${node.operator}${node.right === undefined ? '' : ` ${JSON.stringify(node.right)}`}`;
  if (node.type === 'approval') return `asks "${node.question}"`;
  if (node.type === 'wait') return `waits ${node.seconds ?? node.until ?? node.event}`;
  if (node.type === 'write_state') return `keeps ${String(node.value)} as ${node.key}`;
  return node.type;
}

function waysOf(node: GraphNode): string {
  const { next, if_true, if_false, on_error } = node as unknown as Record<string, string | undefined>;
  const ways = [next, if_true && `${if_true} or ${if_false}`, on_error && `(${on_error})`];
  return ways.filter(Boolean).join(' ');
}

async function problemsOf(intent: string): Promise<{ step: string; problem: string; help: string }[]> {
  try {
    await buildGraph(intent, options);
    return [];
  } catch (error) {
    if (!isOkaError(error, 'graph.cannot_place')) throw error;
    return error.data['problems'] as { step: string; problem: string; help: string }[];
  }
}

describe('buildGraph without a model', () => {
  it.each<[string, string[]]>([
    ['read notes.md', ['read_notes_md: files.read {"path":"notes.md"} -> end']],
    [
      'Read notes.md, then write it to copy.md.',
      [
        'read_notes_md: files.read {"path":"notes.md"} -> write_copy_md',
        'write_copy_md: files.write {"path":"copy.md","content":"{{read_notes_md.content}}"} -> end',
      ],
    ],
    [
      'search for "TODO" in src and save the matches to todo.md',
      [
        'search_src: files.search {"path":"src","query":"TODO"} -> write_todo_md',
        'write_todo_md: files.write {"path":"todo.md","content":"{{search_src.matches}}\\n"} -> end',
      ],
    ],
    [
      'list docs, then write the list to files.md',
      [
        'list_docs: files.list {"path":"docs"} -> write_files_md',
        'write_files_md: files.write {"path":"files.md","content":"{{list_docs.entries}}\\n"} -> end',
      ],
    ],
    [
      '1. read a.md\n2) list docs\n- write "done" to c.md',
      [
        'read_a_md: files.read {"path":"a.md"} -> list_docs',
        'list_docs: files.list {"path":"docs"} -> write_c_md',
        'write_c_md: files.write {"path":"c.md","content":"done"} -> end',
      ],
    ],
    [
      'read a.md, b.md and c.md',
      [
        'read_a_md: files.read {"path":"a.md"} -> read_b_md',
        'read_b_md: files.read {"path":"b.md"} -> read_c_md',
        'read_c_md: files.read {"path":"c.md"} -> end',
      ],
    ],
    [
      'search for TODO. If there are more than 3 matches, write "many" to a.txt, otherwise write "few" to b.txt. Then list docs',
      [
        'search_todo: files.search {"query":"TODO"} -> check',
        'check: {{search_todo.matches.length}} gt 3 -> write_a_txt or write_b_txt',
        'write_a_txt: files.write {"path":"a.txt","content":"many"} -> list_docs',
        'write_b_txt: files.write {"path":"b.txt","content":"few"} -> list_docs',
        'list_docs: files.list {"path":"docs"} -> end',
      ],
    ],
    [
      'read config.json; if it contains "debug" then delete debug.log else list logs',
      [
        'read_config_json: files.read {"path":"config.json"} -> check',
        'check: {{read_config_json.content}} contains "debug" -> delete_debug_log or list_logs',
        'delete_debug_log: files.delete {"path":"debug.log"} -> end',
        'list_logs: files.list {"path":"logs"} -> end',
      ],
    ],
    [
      'search for "FIXME". unless nothing is found, send the matches to dev@example.com',
      [
        'search_fixme: files.search {"query":"FIXME"} -> check',
        'check: {{search_fixme.matches}} empty -> end or send_dev_example_com',
        'send_dev_example_com: mail.send {"to":"dev@example.com","body":"{{search_fixme.matches}}\\n"} -> end',
      ],
    ],
    [
      'run `ls -la`. write it to out.txt if the stdout does not contain "core"',
      [
        'run_ls_la: process.run {"argv":["ls","-la"]} -> check',
        'check: {{run_ls_la.stdout}} contains "core" -> end or write_out_txt',
        'write_out_txt: files.write {"path":"out.txt","content":"{{run_ls_la.stdout}}"} -> end',
      ],
    ],
    [
      'fetch https://example.com. if it fails, write "down" to status.txt. Then list logs',
      [
        'fetch_example_com: http.fetch {"url":"https://example.com"} -> list_logs (write_status_txt)',
        'write_status_txt: files.write {"path":"status.txt","content":"down"} -> list_logs',
        'list_logs: files.list {"path":"logs"} -> end',
      ],
    ],
    [
      'read report.md, then ask me before sending it to boss@example.com',
      [
        'read_report_md: files.read {"path":"report.md"} -> ask',
        'ask: asks "May this be done: sending it to boss@example.com?" -> agreed',
        'agreed: {{ask.answer}} eq "yes" -> send_boss_example_com or end',
        'send_boss_example_com: mail.send {"to":"boss@example.com","body":"{{read_report_md.content}}"} -> end',
      ],
    ],
    [
      'delete old.log, but ask me first',
      [
        'ask: asks "May this be done: delete old.log?" -> agreed',
        'agreed: {{ask.answer}} eq "yes" -> delete_old_log or end',
        'delete_old_log: files.delete {"path":"old.log"} -> end',
      ],
    ],
    [
      'write "hi" to hello.txt with my approval',
      [
        'ask: asks "May this be done: write "hi" to hello.txt?" -> agreed',
        'agreed: {{ask.answer}} eq "yes" -> write_hello_txt or end',
        'write_hello_txt: files.write {"path":"hello.txt","content":"hi"} -> end',
      ],
    ],
    [
      'ask me "Shall we go on?" then if I agree, delete tmp.txt, otherwise list tmp',
      [
        'ask_shall_we_go_on: asks "Shall we go on?" -> agreed',
        'agreed: {{ask_shall_we_go_on.answer}} eq "yes" -> delete_tmp_txt or list_tmp',
        'delete_tmp_txt: files.delete {"path":"tmp.txt"} -> end',
        'list_tmp: files.list {"path":"tmp"} -> end',
      ],
    ],
    [
      'wait 5 minutes then run `npm test`',
      ['wait: waits 300 -> run_npm_test', 'run_npm_test: process.run {"argv":["npm","test"]} -> end'],
    ],
    [
      'wait until 2030-01-01 and read a.md',
      ['wait: waits 2030-01-01T00:00:00Z -> read_a_md', 'read_a_md: files.read {"path":"a.md"} -> end'],
    ],
    [
      'wait for the event deploy_done then read log.txt',
      [
        'wait_deploy_done: waits deploy_done -> read_log_txt',
        'read_log_txt: files.read {"path":"log.txt"} -> end',
      ],
    ],
    [
      'recall last_digest, then fetch https://x.org/feed and remember it as last_digest',
      [
        'recall_last_digest: read_state -> fetch_feed',
        'fetch_feed: http.fetch {"url":"https://x.org/feed"} -> remember_last_digest',
        'remember_last_digest: keeps {{fetch_feed.body}} as last_digest -> end',
      ],
    ],
    ['move a.txt to archive/a.txt', ['move_a_txt: files.move {"to":"archive/a.txt","from":"a.txt"} -> end']],
    [
      'write {{input.text}} to out.md',
      ['write_out_md: files.write {"path":"out.md","content":"{{input.text}}"} -> end'],
    ],
    [
      'write "a, b. c then d" to x.txt',
      ['write_x_txt: files.write {"path":"x.txt","content":"a, b. c then d"} -> end'],
    ],
    [
      'send "hello there" to bob@example.com with subject "Hi"',
      ['send_bob_example_com: mail.send {"subject":"Hi","to":"bob@example.com","body":"hello there"} -> end'],
    ],
    [
      'grep for error handling in src/engine',
      ['search_engine: files.search {"path":"src/engine","query":"error handling"} -> end'],
    ],
    ['please read the weekly report notes.md', ['read_notes_md: files.read {"path":"notes.md"} -> end']],
    [
      'read a.md and read a.md',
      [
        'read_a_md: files.read {"path":"a.md"} -> read_a_md_2',
        'read_a_md_2: files.read {"path":"a.md"} -> end',
      ],
    ],
    [
      'search for "x". if there are no more than 2 matches, list docs',
      [
        'search_x: files.search {"query":"x"} -> check',
        'check: {{search_x.matches.length}} lte 2 -> list_docs or end',
        'list_docs: files.list {"path":"docs"} -> end',
      ],
    ],
    [
      'read a.md. if it is not empty, delete it',
      [
        'read_a_md: files.read {"path":"a.md"} -> check',
        'check: {{read_a_md.content}} empty -> end or delete',
        'delete: files.delete {"path":"{{read_a_md.path}}"} -> end',
      ],
    ],
    [
      'ask me "Which one?", then ask me before deleting a.md',
      [
        'ask_which_one: asks "Which one?" -> ask',
        'ask: asks "May this be done: deleting a.md?" -> agreed',
        'agreed: {{ask.answer}} eq "yes" -> delete_a_md or end',
        'delete_a_md: files.delete {"path":"a.md"} -> end',
      ],
    ],
    [
      'read a.md, wait 5 minutes, then write it to b.md',
      [
        'read_a_md: files.read {"path":"a.md"} -> wait',
        'wait: waits 300 -> write_b_md',
        'write_b_md: files.write {"path":"b.md","content":"{{read_a_md.content}}"} -> end',
      ],
    ],
    [
      'ask me "Your name?" and write the answer to name.txt',
      [
        'ask_your_name: asks "Your name?" -> write_name_txt',
        'write_name_txt: files.write {"path":"name.txt","content":"{{ask_your_name.answer}}"} -> end',
      ],
    ],
    [
      'recall seen, then write it to seen.txt',
      [
        'recall_seen: read_state -> write_seen_txt',
        'write_seen_txt: files.write {"path":"seen.txt","content":"{{recall_seen.value}}\\n"} -> end',
      ],
    ],
    ['list all files in docs', ['list_docs: files.list {"path":"docs"} -> end']],
    [
      'search for "x" and save to x.md',
      [
        'search_x: files.search {"query":"x"} -> write_x_md',
        'write_x_md: files.write {"path":"x.md","content":"{{search_x}}\\n"} -> end',
      ],
    ],
  ])('builds %j', async (intent, expected) => {
    const built = await buildGraph(intent, options);
    expect(outline(built)).toEqual(expected);
    expect(built.by).toBe('rules');
    expect(compile(built.definition).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it.each([
    ['make me a sandwich', 'no tool does "make"'],
    ['summarise notes.md', 'no tool does "summarise"'],
    ['write to out.md', 'files.write needs content'],
    ['fetch the page', 'http.fetch needs url'],
    ['read notes.md aloud to my dog', 'no place for "aloud dog"'],
    ['read notes.md, frobnicate it', 'no tool does "frobnicate"'],
    ['list docs 7 "x"', 'no place for'],
    ['read a.md if it is sunny', 'cannot be read without a model'],
    ['read a.md. if it contains "x" and is new, delete a.md', 'cannot be read without a model'],
    ['read a.md. if it contains "x" twice, delete a.md', 'cannot be read without a model'],
    ['if it fails, read a.md', 'no step before it can fail'],
    ['otherwise read a.md', 'cannot be read without a model'],
    ['read a.md. if it contains "x"', 'says nothing to do'],
    ['for each file in docs, read it', 'needs a graph of its own'],
    ['every 7 minutes read a.md', 'not a regular time'],
    ['delete everything in tmp/', 'no place for "everything"'],
    ['read a.md and delete all files in tmp/', 'no place for "all"'],
    ['list docs then delete them', 'files.delete needs path'],
    ["don't delete a.md", 'no tool does'],
    ['read a.md but do not write it', 'no place for'],
    ['list docs except drafts', 'no place for'],
    ['read a.md. if nothing contains "x", delete a.md', 'cannot be read without a model'],
    ['read a.md. if it fails, list docs. then write it to b.md', 'files.write needs content'],
    ['remember it as x', 'not clear what to remember'],
    ['   ', 'contains no step'],
    ['notes.md', 'does not begin with a verb'],
  ])('refuses %j', async (intent, problem) => {
    const problems = await problemsOf(intent);
    expect(problems.map((one) => one.problem).join(' ')).toContain(problem);
    for (const { help } of problems) expect(help).not.toBe('');
  });

  it('names every step that it cannot place, at once', async () => {
    const problems = await problemsOf('juggle three balls. read a.md. paint the wall');
    expect(problems.map(({ step }) => step)).toEqual(['juggle three balls', 'paint the wall']);
  });

  it('refuses an intent that is too long to parse reliably', async () => {
    expect((await problemsOf('read a.md, then '.repeat(260)))[0]?.problem).toContain('characters long');
    await expect(buildGraph('read a.md, then '.repeat(240), options)).resolves.toBeDefined();
  });

  it('suggests a schedule for the graph', async () => {
    const { schedule, definition } = await buildGraph('every weekday at 9:30 read a.md', options);
    expect(schedule).toEqual({ cron: '30 9 * * 1-5', said: 'every weekday at 9:30' });
    expect(definition).toMatchObject({ id: 'read_a_md', name: 'Every weekday at 9:30 read a.md' });
  });

  it('explains the choice for each step', async () => {
    const { choices } = await buildGraph('read notes.md and write it to copy.md', options);
    expect(choices).toEqual([
      { step: 'read notes.md', node_id: 'read_notes_md', tool: 'files.read', why: 'files.read does "read"' },
      {
        step: 'write it to copy.md',
        node_id: 'write_copy_md',
        tool: 'files.write',
        why: 'files.write does "write"; content is "it" of an earlier step',
      },
    ]);
  });

  it('bounds every call, and retries only repeatable tools', async () => {
    const { definition } = await buildGraph('read a.md and send it to bob@example.com', options);
    expect(definition.execution_defaults.guarantee_mode).toBe('bounded');
    expect(definition.nodes.filter(({ type }) => type === 'tool')).toMatchObject([
      { tool: 'files.read', timeout_seconds: 120, max_retries: 2 },
      {
        tool: 'mail.send',
        timeout_seconds: 120,
        max_retries: 0,
        idempotency_key: '{{run.origin_id}}/send_bob_example_com',
      },
    ]);
  });

  it('gives the same graph for the same intent', async () => {
    const intent = 'search for "x", then if there are matches, save them to x.md';
    expect(await buildGraph(intent, options)).toEqual(await buildGraph(intent, { ...options }));
  });

  it('builds a graph that compiles, or refuses, for any text', async () => {
    const words =
      'read write list if unless otherwise then and , . it "x" a.md docs ask me before first every day at 9 fails contains more than 3 matches remember as wait'.split(
        ' ',
      );
    const intent = fc.array(fc.constantFrom(...words), { maxLength: 14 }).map((list) => list.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.oneof(intent, fc.string({ unit: 'binary' })), async (said) => {
        try {
          const { definition } = await buildGraph(said, options);
          expect(compile(definition).graph).toBeDefined();
        } catch (error) {
          expect(isOkaError(error, 'graph.cannot_place')).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('buildGraph with a model', () => {
  const good = {
    id: 'copy',
    name: 'Copy',
    version: 1,
    start: 'start',
    execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 60, max_retries: 1 },
    nodes: [
      { node_id: 'start', type: 'start', next: 'read' },
      { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: 'a.md' }, next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
  };
  const bad = { ...good, nodes: [{ node_id: 'start', type: 'start', next: 'nowhere' }] };
  const attempts: BuildAttempt[] = [];

  function build(turns: readonly Json[]): Promise<BuiltGraph> {
    attempts.length = 0;
    const provider = new ScriptedProvider({ turns }, new ManualClock());
    return buildGraph('copy a.md', {
      ...options,
      model: { provider, model: 'any' },
      onAttempt: (attempt) => attempts.push(attempt),
    });
  }

  it('accepts a graph that compiles, with the choices of the model', async () => {
    const choices = [{ step: 'copy', node_id: 'read', why: 'it reads' }];
    const built = await build([
      { role: 'builder', json: { definition: good, schedule: '0 9 * * *', choices } },
    ]);
    expect(built).toEqual({
      definition: good,
      by: 'model',
      choices,
      schedule: { cron: '0 9 * * *', said: '0 9 * * *' },
      warnings: [],
    });
  });

  it('sends the diagnostics back until the graph compiles', async () => {
    const built = await build([
      { when: 'graph.unknown_target', json: { definition: good } },
      { json: { definition: bad } },
    ]);
    expect(built.definition).toEqual(good);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(attempts[0]?.diagnostics.map(({ code }) => code)).toContain('graph.unknown_target');
  });

  it('sends the problems of malformed answers back', async () => {
    const built = await build([
      { when: '/does not compile/', json: { definition: good } },
      { text: 'I would rather not.' },
    ]);
    expect(built.definition).toEqual(good);
    expect(attempts[0]?.answer).toBeUndefined();
  });

  it('fails after three attempts with all diagnostics', async () => {
    const failed = build([{ json: { definition: bad } }]);
    await expect(failed).rejects.toMatchObject({
      code: 'graph.build_failed',
      data: {
        diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'graph.unknown_target' })]),
      },
    });
    expect(attempts).toHaveLength(3);
  });

  it('rethrows errors of the provider', async () => {
    await expect(build([{ error: 'rate_limited' }])).rejects.toMatchObject({ code: 'models.rate_limited' });
  });
});
