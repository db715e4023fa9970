// Files that make some program act: an untrusted run and a run that nobody watches ask before they change one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TaintWorld } from './taint-kit.ts';
import { graph, TrustedPlace } from './trust-kit.ts';

const ACTING = [
  '.vscode/tasks.json',
  '.envrc',
  '.husky/pre-commit',
  '.github/workflows/build.yml',
  '.github/instructions/all.instructions.md',
  '.gemini/settings.json',
  '.codex/config.toml',
  '.devcontainer/devcontainer.json',
  'package.json',
  'sub/.a-tool-of-tomorrow/config',
];

const LIMITS = { guarantee_mode: 'bounded', timeout_seconds: 60, max_retries: 0 };

describe('an untrusted run', () => {
  it.each(ACTING)('asks before it writes %s', async (path) => {
    const world = await TaintWorld.open();
    const read = ['http.fetch', { url: `${world.page}/` }] as const;
    const { run } = await world.calls(`read ${world.page}/`, read, ['files.write', { path, content: '{}' }]);
    expect(run.status).toBe('waiting');
    const [asked] = await world.asked();
    expect(asked).toMatchObject({ tool: 'files.write', rule: 'untrusted_content' });
    expect(asked?.why).toContain(`would change ${path}: `);
  });

  it('does not ask before it writes an ordinary file', async () => {
    const world = await TaintWorld.open();
    const read = ['http.fetch', { url: `${world.page}/` }] as const;
    const write = ['files.write', { path: 'docs/notes.md', content: 'x' }] as const;
    expect((await world.calls(`read ${world.page}/`, read, write)).run.status).toBe('completed');
  });
});

it('a trusted run that a person started writes them without a question', async () => {
  const world = await TaintWorld.open();
  const writes = ACTING.map((path) => ['files.write', { path, content: '{}' }] as const);
  expect((await world.calls('write them', ...writes)).run.status).toBe('completed');
});

describe('a schedule', () => {
  /** Fires a schedule whose graph writes this path. Returns what waits for a person. */
  async function fire(path: string, policy?: string): Promise<readonly object[]> {
    const place = await new TrustedPlace().trust();
    const nodes = [
      { node_id: 'start', type: 'start', next: 'a' },
      { node_id: 'a', type: 'tool', tool: 'files.write', args: { path, content: '{}' }, next: 'end' },
      { node_id: 'end', type: 'end' },
    ];
    place.put('.oka/graphs/nightly.json', graph('nightly', '', { nodes, execution_defaults: LIMITS }));
    if (policy !== undefined) writeFileSync(join(place.home, 'POLICY.md'), policy);
    await place.oka.graphs.schedules.add({ graph: 'nightly', cron: '* * * * *', by: 'ann' } as never);
    place.clock.advance(120_000);
    await place.oka.graphs.schedules.tick({ drive: true });
    const asked = await place.oka.approvals.list({ status: 'pending' });
    expect(place.has(path)).toBe(asked.length === 0);
    return asked;
  }

  it.each(ACTING)('asks before it writes %s', async (path) => {
    expect(await fire(path)).toMatchObject([{ rule: 'acting_file' }]);
  });

  it('does not ask about an ordinary file, nor about a path that the person’s own policy names', async () => {
    expect(await fire('docs/notes.md')).toEqual([]);
    const allow = (match: string) =>
      `| match | decision | why |\n|---|---|---|\n| \`${match}\` | allow | mine |\n`;
    expect(await fire('.reports/today', allow('files.write and path in .reports/** and any input'))).toEqual(
      [],
    );
    expect(await fire('.reports/today', allow('files.write and any input'))).toMatchObject([
      { rule: 'acting_file' },
    ]);
  });
});
