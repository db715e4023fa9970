// Every command: its help, and one use of those that no other area has.

import { expect, test } from 'vitest';
import { runProgram } from '../run-program.ts';
import { type Area, SCRIPTED, script, succeed } from './area.ts';

const PROCEDURE = `---
triggers:
  - copy the template into {{path1}}
steps:
  - title: read the template
    tool: files.read
    input: { path: template.md }
---
Once a week.
`;

/** Commands that look at or change a workspace, in an order in which each finds what it needs. */
const USES: readonly (readonly string[])[] = [
  ['memory', 'fact', 'add', 'The pump is green.'],
  ['memory', 'fact', 'search', 'pump'],
  ['memory', 'fact', 'list'],
  ['memory', 'retrieve', 'pump'],
  ['memory', 'pack', 'paint the pump'],
  ['memory', 'export'],
  ['memory', 'daily', 'days'],
  ['memory'],
  ['maintain'],
  ['context', 'scan'],
  ['context', 'status'],
  ['context', 'roots'],
  ['context', 'validate'],
  ['context', 'report'],
  ['context', 'generate', 'README.md', '--prompt', 'what is it'],
  ['context', 'get-node', 'README.md'],
  ['grants', 'list'],
  ['policy', 'show'],
  ['policy', 'explain', 'files.delete', '{"path":"README.md"}'],
  ['graph', 'gallery'],
  ['procedures', 'list'],
  ['procedures', 'score'],
  ['skills', 'list'],
  ['skills', 'check'],
  ['agent', 'list'],
  ['agent', 'check'],
  ['do', 'read README.md', '--model', 'none'],
  ['runs', 'list'],
  ['eval', 'list'],
  ['eval', 'run'],
  ['approvals', 'list'],
  ['metrics'],
  ['doctor'],
  ['replicate', 'status'],
  ['ledger', 'tail'],
  ['ledger', 'stats'],
  ['ledger', 'export'],
  ['ledger', 'verify'],
  ['ledger', 'rebuild'],
  ['ledger', 'gc', '--dry-run'],
  ['completion', 'bash'],
  ['completion', 'zsh'],
  ['completion', 'fish'],
  ['complete', 'run'],
  ['version'],
  ['--version'],
];

interface HelpPage {
  readonly words: readonly string[];
  readonly exitCode: number;
  readonly text: string;
  readonly rendered?: string;
}

/** There are more; fewer means that the list of commands was not found in the help. */
const COMMANDS = 100;

export function commandsArea({ oka, open }: Area): void {
  test('every command explains itself', async () => {
    const pages = (await runProgram(oka(), await open(), 'print-help.cjs')) as readonly HelpPage[];
    expect(pages.length).toBeGreaterThan(COMMANDS);
    for (const { words, exitCode, text, rendered } of pages) {
      expect({ words, exitCode, rendered }).toEqual({ words, exitCode: 0, rendered: text });
      expect(text).toContain(['Usage: oka', ...words].join(' '));
    }
  });

  test('the commands that look at a workspace answer', async () => {
    const skill = '---\nname: brew\ndescription: Brews tea.\n---\n\nBoil it.\n';
    const workspace = await open({
      files: {
        'README.md': '# Garden\n',
        'script.json': script({ text: 'A plan.' }),
        '.oka/skills/brew/SKILL.md': skill,
        '.oka/procedures/copy.md': PROCEDURE,
      },
      config: SCRIPTED,
    });
    for (const words of USES) await succeed(workspace, ...words);
  });
}
