import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentWorkspace } from '../support/agent-workspace.ts';

describe('summarising data', () => {
  it('reports columns, types, ranges and missing values of a CSV file', async () => {
    const workspace = new AgentWorkspace({
      'my data.csv':
        '\ufeffname;age;joined;ok\r\n"Ann; B";31;2024-01-02;true\r\n"two\nlines";;2023-05-01;false\r\nCy;40;;true\r\n',
    });
    const run = await workspace.pursue('please summarise "my data.csv" into notes/summary.md');
    expect(run.failure).toBeUndefined();
    expect(run.output).toMatchObject({
      rows: 3,
      separator: ';',
      columns: [
        { name: 'name', type: 'text', missing: 0 },
        { name: 'age', type: 'integer', missing: 1 },
        { name: 'joined', type: 'date', missing: 1 },
        { name: 'ok', type: 'boolean', missing: 0 },
      ],
    });
    const note = workspace.text('notes/summary.md');
    expect(note).toContain('a table of 3 rows and 4 columns, separated by semicolon');
    expect(note).toContain('| age | integer | 2 | 1 | 2 | 31 | 40 | 35.5 |\n');
    expect(await workspace.retell(run)).toEqual({
      states: ['intake', 'explore', 'decide', 'act', 'validate', 'done'],
      tools: ['files.read', 'procedures.write', 'files.read'],
      differences: [],
    });
    await workspace.engine.undo(run.id, 'tester');
    expect(workspace.text('my data.csv')).toContain('Ann');
  });

  it('reports the shape of JSON, and lists of objects as tables', async () => {
    const workspace = new AgentWorkspace({
      'config.json': JSON.stringify({ name: 'x', tags: ['a', 'b'], deep: { on: true } }),
      'rows.json': JSON.stringify([
        { id: 1, tag: 'a' },
        { id: 2, extra: { x: 1 } },
      ]),
      'events.jsonl': '{"at":"2024-01-01"}\nnot json\n{"at":"2024-02-01"}\n',
    });
    const shape = await workspace.pursue('show the structure of config.json');
    expect(shape.output).toMatchObject({
      format: 'json',
      report: expect.stringContaining(
        '- `name`: text\n- `tags`: list\n  - list of 2 items: text\n- `deep`: object\n  - `on`: boolean\n',
      ),
    });
    expect((await workspace.pursue('summarise rows.json')).output).toMatchObject({
      rows: 2,
      columns: [
        { name: 'id', type: 'integer', missing: 0 },
        { name: 'tag', type: 'text', missing: 1 },
        { name: 'extra', type: 'nested', missing: 1 },
      ],
    });
    expect((await workspace.pursue('summarise events.jsonl')).output).toMatchObject({
      rows: 2,
      columns: [{ name: 'at', type: 'date' }],
      report: expect.stringContaining('1 line that are not JSON, such as line 2'),
    });
  });

  it('reads the beginning of a huge CSV file, and reports what it leaves out', async () => {
    const workspace = new AgentWorkspace({
      'big.csv': `id,text\n${Array.from({ length: 60_000 }, (_, i) => `${i},${'x'.repeat(80)}`).join('\n')}\n`,
    });
    const run = await workspace.pursue('summarise big.csv');
    expect(run.output).toMatchObject({
      columns: [
        { name: 'id', type: 'integer', missing: 0 },
        { name: 'text', missing: 0 },
      ],
      leftOut: [expect.stringContaining('after the first 4.2 MB')],
    });
    expect((run.output as { rows: number }).rows).toBeGreaterThan(40_000);
    expect((await workspace.retell(run)).differences).toEqual([]);
  });

  it('handles files that are empty, broken, binary or missing', async () => {
    const workspace = new AgentWorkspace({
      'empty.csv': '',
      'broken.json': '{"a":',
      'open.csv': 'a,b\n"x,1\n',
    });
    writeFileSync(join(workspace.root, 'binary.csv'), Uint8Array.from([0, 1, 2]));
    expect((await workspace.pursue('summarise empty.csv')).output).toMatchObject({
      format: 'empty',
      columns: [],
    });
    const broken = await workspace.pursue('summarise broken.json');
    expect(broken.failure?.message).toContain('broken.json cannot be summarised: it is not valid JSON');
    expect((await workspace.retell(broken)).differences).toEqual([]);
    expect((await workspace.pursue('summarise open.csv')).output).toMatchObject({
      report: expect.stringContaining('a quote in the row that begins on line 2 is never closed'),
    });
    expect(await workspace.pursue('summarise binary.csv')).toMatchObject({
      failure: { code: 'files.not_text' },
    });
    expect(await workspace.pursue('summarise absent.csv')).toMatchObject({
      failure: { code: 'files.not_found' },
    });
  });

  it('escapes text of the file that would break the table', async () => {
    const workspace = new AgentWorkspace({ 'odd.csv': '"a|b","c\nd"\n"x|y",`z`\n' });
    const run = await workspace.pursue('summarise odd.csv');
    expect((run.output as { report: string }).report).toContain(
      '| a\\|b | text | 1 | 0 | 1 | x\\|y | x\\|y |  |\n| c d |',
    );
  });
});
