import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/mcp-conformance.mjs', import.meta.url));
const NO_PEERS = 2;

interface Scenario {
  readonly name: string;
  readonly scored: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly problems: readonly string[];
}

interface Found {
  readonly required: Readonly<Record<string, readonly Scenario[]>>;
  readonly own: Readonly<Record<string, readonly Scenario[]>>;
  readonly inspector: readonly { what: string; transport: string; ok: boolean; output: string }[];
}

describe('third-party MCP clients', () => {
  it('find everything that a server must support, in both revisions', (context) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, '--json'], {
      encoding: 'utf8',
      maxBuffer: 64 * 1_048_576,
    });
    if (status === NO_PEERS) {
      console.warn(stderr.trim());
      context.skip(stderr.trim());
    }
    expect(stdout, stderr).not.toBe('');
    const { required, own, inspector } = JSON.parse(stdout) as Found;
    expect(Object.keys(required)).toEqual(['2025-11-25', '2026-07-28']);
    const scenarios = [...Object.values(required), ...Object.values(own)]
      .flat()
      .filter(({ scored }) => scored);
    expect(scenarios.length).toBeGreaterThan(80);
    expect(scenarios.filter(({ passed, failed }) => failed > 0 || passed === 0)).toEqual([]);
    expect(inspector.length).toBeGreaterThan(10);
    expect(inspector.filter(({ ok }) => !ok)).toEqual([]);
    expect(status).toBe(0);
  });
});
