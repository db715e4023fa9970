import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type {
  DoctorAnswer,
  PolicyCheckAnswer,
  PolicyExplainAnswer,
  PolicyShowAnswer,
} from '../../src/api/index.ts';
import { policyOf } from '../policy/good-policies.ts';
import { BRIEF, SMALL_PROJECT, Workspace } from './oka-process.ts';

const WRITE = ['files.write', '{"path":"docs/a.md","content":"x"}'] as const;

/** Puts down the person's own policy. */
function putOwn(place: Workspace, text: string): void {
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, 'POLICY.md'), text);
}

function explain(place: Workspace, ...args: readonly string[]) {
  return place.answer<PolicyExplainAnswer>('policy', 'explain', ...args);
}

function trustedWith(policy: string): Workspace {
  return Workspace.trusted({ files: { ...SMALL_PROJECT, 'POLICY.md': policy } });
}

describe('policy explain', () => {
  test('shows the decision, its rule and the reason', async () => {
    const place = trustedWith(policyOf('| `files.write and path in docs/**` | deny | written by hand |'));
    const { exitCode, data } = await explain(place, ...WRITE);
    expect(exitCode).toBe(0);
    expect(data).toMatchObject({
      decision: 'deny',
      rule: 'POLICY.md:3',
      why: 'written by hand',
      default: { decision: 'allow', rule: 'write_local' },
      matches: [{ rule: 'POLICY.md:3', decided: true, match: 'files.write and path in docs/**' }],
      notes: [],
    });
    const other = await explain(place, 'files.write', '{"path":"src/a.md","content":"x"}');
    expect(other.data).toMatchObject({ decision: 'allow', rule: 'write_local', matches: [] });
  });

  test('uses the described run', async () => {
    const place = trustedWith(policyOf('| files.* and state is act and agent is anton | ask | look twice |'));
    const as = (...options: readonly string[]) => explain(place, ...WRITE, ...options);
    expect((await as('--state', 'act', '--agent', 'anton')).data.decision).toBe('ask');
    expect((await as('--state', 'explore', '--agent', 'anton')).data.decision).toBe('allow');
    expect((await as()).data.matches[0]?.note).toContain('the match is uncertain');
  });

  test('reports input that the tool would reject', async () => {
    const { data } = await explain(Workspace.trusted(), 'files.write', '{"path":5}');
    expect(data.notes).toEqual([expect.stringContaining('the tool refuses this input')]);
  });

  test('suggests the nearest tool', async () => {
    const { exitCode, error } = await Workspace.trusted().refusal('policy', 'explain', 'files.wirte', '{}');
    expect({ exitCode, code: error.code }).toEqual({ exitCode: 3, code: 'engine.unknown_tool' });
    expect(error.message).toContain('Did you mean "files.write"?');
  });
});

describe('trust', () => {
  test('the policy of an untrusted workspace is not opened', async () => {
    const hook = { on: 'before_run', command: ['sh', '-c', 'touch hooked.txt'] };
    const place = new Workspace({
      files: { ...SMALL_PROJECT, 'POLICY.md': 'nothing that could be enforced' },
      config: { hooks: [hook] },
    });
    new WorkspaceFolder(place.root).create();
    symlinkSync('/etc/hostname', place.at('.oka/POLICY.md'));
    const { data } = await explain(place, ...WRITE);
    expect(data).toMatchObject({ decision: 'allow', rule: 'write_local' });
    expect(data.notes).toEqual([expect.stringContaining('not trusted')]);
    const shown = await place.answer<PolicyShowAnswer>('policy', 'show');
    expect(shown.data.files.map(({ status }) => status)).toEqual(['absent', 'not_trusted', 'not_trusted']);
    const { error } = await place.refusal('do', BRIEF);
    expect(error.code).toBe('config.not_trusted');
    expect([place.has('hooked.txt'), place.has('BRIEF.md')]).toEqual([false, false]);
  });

  test('a trusted workspace can only tighten the policy', async () => {
    const place = trustedWith(policyOf('| `*` | allow | trust me |'));
    const tool = ['process.run', '{"argv":["date"],"network":true}'] as const;
    expect((await explain(place, ...tool)).data).toMatchObject({
      decision: 'ask',
      matches: [{ decided: false }],
    });
    putOwn(place, policyOf('| process.run and argv[0] is date and any network | allow | harmless |'));
    expect((await explain(place, ...tool)).data).toMatchObject({
      decision: 'allow',
      rule: 'OKA_HOME/POLICY.md:3',
    });
    place.put('.oka/POLICY.md', policyOf('| process.* | deny | not here |'));
    expect((await explain(place, ...tool)).data).toMatchObject({
      decision: 'deny',
      rule: '.oka/POLICY.md:3',
    });
  });
});

test('explain judges a program as a run does: on a draft it is a local write', async ({ skip }) => {
  const place = Workspace.trusted();
  const { data } = await place.answer<DoctorAnswer>('doctor');
  const kind = data.checks.find(({ name }) => name === 'drafts')?.detail ?? '';
  if (!/^(?:overlay|copy)/.test(kind)) return skip(kind);
  const { data: explained } = await explain(place, 'process.run', '{"argv":["date"]}');
  expect(explained).toMatchObject({ decision: 'allow', sideEffect: 'write_local', rule: 'write_local' });
});

describe('a run', () => {
  test('is denied by the policy of the workspace, and names the rule', async () => {
    const place = trustedWith(policyOf('| `files.write and path in docs/**` | deny | written by hand |'));
    const { exitCode, data } = await place.answer('tools', 'call', ...WRITE);
    expect(exitCode).toBe(4);
    expect(data.run.failure).toMatchObject({
      code: 'engine.policy_denied',
      message: 'Policy forbids files.write: written by hand.',
    });
    expect(place.has('docs/a.md')).toBe(false);
    const elsewhere = await place.answer('tools', 'call', 'files.write', '{"path":"a.md","content":"x"}');
    expect([elsewhere.exitCode, place.has('a.md')]).toEqual([0, true]);
  });

  test('still asks for calls that only the workspace allows', async () => {
    const place = trustedWith(policyOf('| `*` | allow | trust me |'));
    const { exitCode, data } = await place.answer(
      'tools',
      'call',
      'process.run',
      '{"argv":["touch","made.txt"],"network":true}',
    );
    expect({ exitCode, status: data.run.status }).toEqual({ exitCode: 4, status: 'waiting' });
    expect(place.has('made.txt')).toBe(false);
  });

  test('does not start with an unenforceable policy', async () => {
    const place = trustedWith('Be kind.');
    const { exitCode, error } = await place.refusal('tools', 'call', ...WRITE);
    expect({ exitCode, code: error.code }).toEqual({ exitCode: 3, code: 'policy.invalid' });
    expect(place.has('docs/a.md')).toBe(false);
  });
});

describe('policy check', () => {
  const check = (place: Workspace, ...args: readonly string[]) =>
    place.answer<PolicyCheckAnswer>('policy', 'check', ...args);

  test('reports every problem with its position and exits with 3', async () => {
    const place = trustedWith(policyOf('| files.* | block | x |', '| a and pth in b | deny | y |'));
    const { exitCode, data } = await check(place);
    expect({ exitCode, valid: data.valid }).toEqual({ exitCode: 3, valid: false });
    expect(data.problems).toEqual([
      { file: 'POLICY.md', line: 3, column: 13, message: expect.stringContaining('"block" is no decision') },
      { file: 'POLICY.md', line: 4, column: 9, message: expect.stringContaining('expected path') },
    ]);
    expect(data.files.find(({ file }) => file === 'POLICY.md')?.status).toBe('invalid');
  });

  test('warns about rules without effect', async () => {
    const place = trustedWith(
      policyOf('| files.read | allow | x |', '| files.* | deny | y |', '| files.list | ask | z |'),
    );
    const { exitCode, data } = await check(place);
    expect({ exitCode, valid: data.valid }).toEqual({ exitCode: 0, valid: true });
    expect(data.rules.map(({ effective }) => effective)).toEqual([false, true, false]);
    expect(data.rules[2]?.warnings).toEqual([expect.stringContaining('POLICY.md:4 (deny)')]);
  });

  test('checks a draft as a policy of the workspace or of the user', async () => {
    const place = Workspace.trusted({ files: { 'draft.md': policyOf('| files.write | allow | x |') } });
    const effective = async (...args: readonly string[]) =>
      (await check(place, 'draft.md', ...args)).data.rules.map((rule) => rule.effective);
    expect(await effective()).toEqual([false]);
    expect(await effective('--user')).toEqual([true]);
    expect((await place.refusal('policy', 'check', 'none.md')).exitCode).toBe(2);
  });
});

describe('policy show', () => {
  test('also prints text', async () => {
    const place = trustedWith(policyOf('| files.delete | deny | keep \u{1F5C2} |'));
    const { exitCode, stdout } = await place.oka('policy', 'show');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('POLICY.md:3');
    expect(stdout).toContain('files.delete');
    expect(stdout).toContain('side effect is external_mutation');
  });

  test.each([
    ['that cannot be enforced', 'policy.invalid', 3],
    ['that is a link', 'policy.link_refused', 3],
  ])('rejects a policy %s', async (what, code, exitCode) => {
    const place = Workspace.trusted();
    if (what === 'that is a link') symlinkSync(place.at('README.md'), place.at('POLICY.md'));
    else place.put('POLICY.md', 'Be kind.');
    const refused = await place.refusal('policy', 'show');
    expect({ exitCode: refused.exitCode, code: refused.error.code }).toEqual({ exitCode, code });
  });
});
