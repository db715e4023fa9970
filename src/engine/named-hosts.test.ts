import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, finish, makeEngine, plannerOf, readTool } from '../../test/support/engine-kit.ts';
import type { Json } from '../kernel/index.ts';
import { coversHost, hostsInUrls, hostsNamedBy } from './named-hosts.ts';
import { PendingAnswer } from './tool.ts';

const names = (text: string, host: string): boolean => coversHost(hostsNamedBy(text), host);

describe('the hosts that a text names', () => {
  it.each([
    ['Summarise https://news.ycombinator.test/item?id=1.', 'news.ycombinator.test'],
    ['Read NEWS.Ycombinator.TEST, please', 'news.ycombinator.test'],
    ['read (https://a.test)', 'a.test'],
    ['[a page](https://a.test/x)', 'a.test'],
    ['read a.test/path and tell me', 'a.test'],
    ['read https://a.test./x', 'a.test'],
    ['read https://a.test/x', 'a.test.'],
    ['the API at http://127.0.0.1:8080/v1', '127.0.0.1:8080'],
    ['open localhost:3000', 'localhost:3000'],
    ['open http://[::1]:3000/', '[::1]:3000'],
    ['read https://a.test:443/', 'a.test'],
    ['read https://münchen.test/', 'xn--mnchen-3ya.test'],
    ['all of ycombinator.test', 'news.ycombinator.test'],
  ])('%s → %s', (text, host) => expect(names(text, host)).toBe(true));

  it.each([
    ['Summarise ycombinator.test', 'news.ycombinator.tester'],
    ['Summarise ycombinator.test', 'notycombinator.test'],
    ['Summarise news.ycombinator.test', 'ycombinator.test'],
    ['Summarise news.ycombinator.test', 'ycombinator.test.evil.test'],
    ['Write to ann@evil.test', 'evil.test'],
    ['read https://a.test/?next=https://evil.test/', 'evil.test'],
    ['read https://a.test/evil.test/page', 'evil.test'],
    ['read https://a.test#evil.test', 'evil.test'],
    ['read https://evil.test@a.test/', 'evil.test'],
    ['read https://a.test:8443/', 'a.test'],
    ['read https://a.test/', 'a.test:8443'],
    ['read https://apple.test/', 'xn--pple-43d.test'],
    ['read https://аpple.test/', 'apple.test'],
    ['read 10.0.0.1', '10.0.0.2'],
    ['read 10.0.0.1', '1.10.0.0.1'],
    ['use version 1.2.3', '1.2.0.3'],
    ['call 127.1', '127.0.0.1'],
    ['Summarise notes.md and setup.sh', 'notes.md'],
    ['Summarise notes.md', 'secret.notes.md'],
    ['every .test host', 'evil.test'],
    ['the words com and test', 'evil.test'],
    ['read http://[::1]:3000/', '[::2]:3000'],
    ['read https://a.test\\@evil.test/', 'evil.test'],
    ['read https://{{host}}/', 'evil.test'],
    ['', 'evil.test'],
  ])('%s does not name %s', (text, host) => expect(names(text, host)).toBe(false));

  it('never returns a string that is not a host', () => {
    expect(names('use the MCP server mail', 'the MCP server mail')).toBe(false);
    expect(names('an unknown destination', 'an unknown destination')).toBe(false);
  });

  it('in the arguments of a call come only from its URLs, because arguments are full of dotted names', () => {
    const input = JSON.stringify({ path: 'src/index.ts', url: 'https://a.test/x', of: 'b.test' });
    expect([...hostsInUrls(input)]).toEqual(['a.test']);
  });
});

/** What a run does: it contacts a host, which may redirect it to others, or starts a child with a goal that it writes. */
type Step = { readonly hops: readonly string[] } | { readonly goal: string; readonly steps: readonly Step[] };

const HOSTS = ['a.test', 'www.a.test', 'b.test', 'c.test:8080'];
const host = fc.constantFrom(...HOSTS);
const { steps } = fc.letrec<{ steps: Step[] }>((tie) => ({
  steps: fc.array(
    fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.record({ hops: fc.array(host, { minLength: 1, maxLength: 3 }) }),
      fc.record({ goal: host.map((name) => `read https://${name}/`), steps: tie('steps') }),
    ) as fc.Arbitrary<Step>,
    { maxLength: 4 },
  ),
}));

/** The simple model: a request leaves if and only if a person has named its host or has answered for it. */
function expected(named: readonly string[], yes: readonly string[], all: readonly Step[]) {
  const known = [...named];
  const [sent, asked]: [string[], string[]] = [[], []];
  const isKnown = (name: string): boolean => known.some((one) => name === one || name.endsWith(`.${one}`));
  const visit = (step: Step): void => {
    if ('steps' in step) {
      step.steps.forEach(visit);
      return;
    }
    const [first = ''] = step.hops;
    if (!isKnown(first)) {
      asked.push(first);
      if (!yes.includes(first)) return;
      known.push(first);
    }
    const refused = step.hops.findIndex((name, i) => i > 0 && name !== step.hops[i - 1] && !isKnown(name));
    sent.push(...step.hops.slice(0, refused < 0 ? undefined : refused));
  };
  all.forEach(visit);
  return { sent, asked };
}

it('a request leaves if and only if a person has named its host or has answered for it', async () => {
  const some = fc.subarray(HOSTS);
  await fc.assert(
    fc.asyncProperty(some, some, steps, async (named, yes, all) => {
      const sent: string[] = [];
      const asked: string[] = [];
      const { engine } = walkingEngine(sent);
      const goal = `read ${named.map((name) => `https://${name}/`).join(' ')}`;
      const vars = { steps: all as unknown as Json };
      const { id } = await engine.run({ kind: 'test', goal, vars, namedHosts: hostsNamedBy(goal) });
      for (;;) {
        const [open] = await engine.parts.runs.approvals({ status: 'pending' });
        if (open === undefined) break;
        const [first = ''] = (open.arguments as { hops: string[] }).hops;
        asked.push(first);
        await engine.decide(open.id, { kind: yes.includes(first) ? 'approve' : 'deny' }, 'ann');
        await engine.resume(open.run);
      }
      expect((await engine.load(id)).ended?.status).toBe('completed');
      expect({ sent, asked }).toEqual(expected(named, yes, all));
    }),
    { numRuns: 100 },
  );
});

it('one answer is for all children that wait for the same host', async () => {
  const sent: string[] = [];
  const { engine } = walkingEngine(sent);
  const child = { goal: 'read https://a.test/', steps: [{ hops: ['a.test'] }] };
  const vars = { steps: [{ together: [child, child, child] }] as unknown as Json };
  const { id } = await engine.run({ kind: 'test', goal: 'work', vars });
  const open = await engine.parts.runs.approvals({ status: 'pending' });
  expect(open).toHaveLength(3);
  await engine.decide(open[0]?.id as string, { kind: 'approve' }, 'ann');
  await engine.resume(open[0]?.run as string);
  expect((await engine.load(id)).ended?.status).toBe('completed');
  expect(sent).toEqual(['a.test', 'a.test', 'a.test']);
});

/** An engine whose runs take the steps of their variable `steps`; `sent` gets the hosts that requests reach. */
function walkingEngine(sent: string[]) {
  const get = readTool(
    'get',
    async ({ hops }: { hops: string[] }, { judge }) => {
      for (const [i, name] of hops.entries()) {
        const isOther = i > 0 && name !== hops[i - 1];
        if (isOther && (await judge?.({ hops: hops.slice(i) }))?.decision !== 'allow') return 'refused';
        sent.push(name);
      }
      return 'done';
    },
    { reaches: (input) => (input as { hops: string[] }).hops.slice(0, 1) },
  );
  const spawn = readTool('spawn', ({ together }: { together: { goal: string; steps: Json }[] }) => {
    const children = together.map(({ goal, steps: own }) => ({ kind: 'test', goal, vars: { steps: own } }));
    return new PendingAnswer({ kind: 'children', children });
  });
  const taken = new Map<string, number>();
  const planner = plannerOf(
    ({ run, vars }) => {
      const at = taken.get(run.id) ?? 0;
      taken.set(run.id, at + 1);
      const step = (vars['steps'] as unknown as object[])[at];
      if (step === undefined) return finish();
      if ('hops' in step) return call('get', { ...step, at });
      return call('spawn', { at, ...('together' in step ? step : { together: [step] }) });
    },
    { handlesDenials: () => true },
  );
  return makeEngine(planner, [get, spawn]);
}
