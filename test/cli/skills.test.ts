import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type { SkillCheckAnswer, SkillDetails, SkillListAnswer } from '../../src/api/index.ts';
import { Workspace, type WorkspaceOptions } from './oka-process.ts';

const skill = (name: string, description: string, more = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n# ${name}\n`;

const FILES: NonNullable<WorkspaceOptions['files']> = {
  '.oka/skills/brew/SKILL.md': skill('brew', 'Brews tea.', 'allowed-tools: Read Bash(kettle *)\n'),
  '.oka/skills/brew/references/water.md': 'Boil it.',
  '.agents/skills/broken/SKILL.md': skill('Broken', 'Does nothing.'),
};

function putMine(workspace: Workspace): Workspace {
  mkdirSync(join(workspace.home, 'skills/forms'), { recursive: true });
  writeFileSync(join(workspace.home, 'skills/forms/SKILL.md'), skill('forms', 'Fills forms.'));
  return workspace;
}

test('skills list shows the offered skills, and the problems of the others', async () => {
  const workspace = putMine(Workspace.trusted({ files: FILES }));
  const { exitCode, data } = await workspace.answer<SkillListAnswer>('skills', 'list');
  expect(exitCode).toBe(0);
  expect(data).toMatchObject({
    trusted: true,
    skills: [
      { name: 'brew', description: 'Brews tea.', source: 'project', path: '.oka/skills/brew/SKILL.md' },
      { name: 'forms', description: 'Fills forms.', source: 'user' },
    ],
    faulty: [{ name: 'broken', usable: false }],
  });
  const { stdout, stderr } = await workspace.oka('skills', 'list');
  expect(stdout).toMatch(/^brew +project +Brews tea\.$/m);
  expect(stdout).not.toContain('Boil');
  expect(stderr).toContain('✗ .agents/skills/broken/SKILL.md: ');
});

test('an untrusted workspace offers no skills and prints the command that trusts it', async () => {
  const workspace = putMine(new Workspace({ files: FILES }));
  new WorkspaceFolder(workspace.root).create();
  const { data } = await workspace.answer<SkillListAnswer>('skills', 'list');
  expect(data).toMatchObject({ trusted: false, skills: [{ name: 'forms' }], faulty: [] });
  expect((await workspace.oka('skills', 'list')).stderr).toContain('oka init --trust');
  expect(await workspace.refusal('skills', 'show', 'brew')).toMatchObject({
    exitCode: 3,
    error: { code: 'skills.unknown' },
  });
});

test('skills show prints the whole skill, with its tools and that they grant nothing', async () => {
  const workspace = Workspace.trusted({ files: FILES });
  const { data } = await workspace.answer<{ skill: SkillDetails }>('skills', 'show', 'brew');
  expect(data.skill).toMatchObject({
    allowedTools: ['Read', 'Bash(kettle *)'],
    files: ['references/water.md'],
    body: '# brew',
  });
  expect((await workspace.oka('skills', 'show', 'brew')).stdout).toContain('Bash(kettle *) (grants nothing)');
  expect(await workspace.refusal('skills', 'show', 'brwe')).toMatchObject({
    exitCode: 3,
    error: { message: 'there is no skill "brwe". Did you mean "brew"?' },
  });
  expect(await workspace.refusal('skills', 'show', '../x')).toMatchObject({
    error: { code: 'skills.unknown' },
  });
  expect(await workspace.refusal('skills', 'show', 'broken')).toMatchObject({
    error: { code: 'skills.invalid' },
  });
});

test('skills check lists every problem with code, path and fix, and exits with 3', async () => {
  const workspace = Workspace.trusted({ files: FILES });
  const all = await workspace.answer<SkillCheckAnswer>('skills', 'check');
  expect(all.exitCode).toBe(3);
  expect(all.data).toMatchObject({
    valid: false,
    skills: [
      { name: 'brew', valid: true, problems: [] },
      {
        name: 'broken',
        valid: false,
        problems: [
          { code: 'skills.name_invalid', path: '.agents/skills/broken/SKILL.md', next: expect.any(String) },
          { code: 'skills.name_differs' },
        ],
      },
    ],
  });
  const one = await workspace.answer<SkillCheckAnswer>('skills', 'check', '.oka/skills/brew');
  expect({ exitCode: one.exitCode, valid: one.data.valid }).toEqual({ exitCode: 0, valid: true });
  const { stdout } = await workspace.oka('skills', 'check');
  expect(stdout).toContain('✓ .oka/skills/brew/SKILL.md\n');
  expect(stdout).toContain('(skills.name_differs)');
});

test('control characters in a skill are escaped', async () => {
  const text = `${skill('brew', 'Brews tea.')}\u001b[2Jgone\u202egnirts`;
  const workspace = Workspace.trusted({ files: { '.oka/skills/brew/SKILL.md': text } });
  const { stdout } = await workspace.oka('skills', 'show', 'brew');
  expect(stdout).toContain('gone\\u{202e}gnirts');
  expect(stdout).not.toContain('\u001b');
});
