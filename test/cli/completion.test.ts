import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { Workspace } from './oka-process.ts';

/** Completes lines in a real bash, where `oka` is a program that keeps how it was asked. */
function inBash(
  script: string,
  lines: readonly (readonly string[])[],
): { readonly found: readonly (readonly string[])[]; readonly asked: string } {
  const folder = tempFolder();
  const program = join(folder, 'oka');
  writeFileSync(program, '#!/bin/sh\necho "$*" >> asked\nprintf \'first\\twhat it is\\n$(touch x)\\n\'\n');
  chmodSync(program, 0o755);
  writeFileSync(join(folder, 'notes.json'), '{}');
  const tries = lines.map((words) => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _oka; (IFS='|'; echo "\${COMPREPLY[*]}")`;
  });
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-s'], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH']}` },
    input: `${script}\n${tries.join('\n')}\n`,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const found = stdout.split('\n').map((line) => line.split('|'));
  return { found, asked: readFileSync(join(folder, 'asked'), 'utf8') };
}

test('bash completes commands, options, values and names as the commands declare them', async () => {
  const { data } = await new Workspace({ files: {} }).answer<{ script: string }>('completion', 'bash');
  const { found, asked } = inBash(data.script, [
    ['oka', ''],
    ['oka', '--json', 'graph', 's'],
    ['oka', 'graph', 'run', 'x', '--st'],
    ['oka', 'graph', 'run', '--mode', ''],
    ['oka', 'graph', 'run', '--mode', '=', 'b'],
    ['oka', '-C', 'there', 'runs', 'show', ''],
    ['oka', 'do', 'x', '--agent', 'f'],
    ['oka', 'graph', 'run', 'x', '--input', 'no'],
    ['oka', 'completion', ''],
    ['oka', 'agent', 'new', ''],
  ]);
  const [commands, graphs, options, modes, mode, runs, agents, file, shells, nothing] = found;
  expect(commands).toEqual(expect.arrayContaining(['init', 'do', 'graph', 'completion']));
  expect(commands).not.toContain('complete');
  expect(graphs).toEqual(['show', 'schema', 'state', 'schedule']);
  expect(options).toEqual(['--stream-json']);
  expect(modes).toEqual(['strict', 'bounded', 'flex']);
  expect(mode).toEqual(['bounded']);
  // Several names are listed with what they are.
  expect(runs).toEqual(['first  (what it is)', '$(touch x)']);
  expect(asked).toBe('-C there complete run\ncomplete agent\n');
  expect(agents).toEqual(['first']);
  expect(file).toEqual(['notes.json']);
  expect(shells).toEqual(['bash', 'zsh', 'fish']);
  expect(nothing).toEqual(['']);
});

test('the command that lists names for the scripts never prints errors', async () => {
  const workspace = Workspace.trusted({
    files: { '.oka/agents/ada.md': '---\nname: ada\n---\nYou review.\n' },
  });
  await workspace.answer('chat', 'new', 'garden', '--no-input');
  const named = async (kind: string): Promise<readonly string[]> => {
    const { data } = await workspace.answer<{ things: readonly { name: string }[] }>('complete', kind);
    return data.things.map(({ name }) => name);
  };
  expect(await named('agent')).toEqual(['anton', 'ada']);
  expect(await named('conversation')).toEqual(['garden']);
  expect(await named('run')).toEqual([]);
  const nowhere = await new Workspace({ files: {} }).answer('complete', 'run');
  expect(nowhere).toEqual({ exitCode: 0, data: { things: [] } });
});

test('zsh and fish complete the same words, with descriptions', async () => {
  const workspace = new Workspace({ files: {} });
  const zsh = (await workspace.answer<{ script: string }>('completion', 'zsh')).data.script;
  expect(zsh).toContain("    'graph run|0') things=graph; files=files ;;\n");
  expect(zsh).toContain(
    "'--simulate:Show what would happen without changing anything; programs run on a draft'",
  );
  const fish = (await workspace.answer<{ script: string }>('completion', 'fish')).data.script;
  expect(fish).toContain(
    "        case 'graph run|--mode'\n            printf '%s\\t%s\\n' strict '' bounded '' flex ''\n",
  );
});
