import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { callKind } from '../../src/agent/index.ts';
import { Engine, MemoryArtifactStore } from '../../src/engine/index.ts';
import { type JsonObject, systemClock } from '../../src/kernel/index.ts';
import { Skills } from '../../src/runtime/agents/skills.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A person's folder and a workspace, with skills in both. */
class Folders {
  readonly home = tempFolder();
  readonly workspace = tempFolder();

  put(path: string, text: string | Uint8Array): this {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return this;
  }

  mine(name: string, description = 'mine'): this {
    return this.put(join(this.home, 'skills', name, 'SKILL.md'), skill(name, description));
  }

  theirs(name: string, description = 'theirs', folder = '.oka'): this {
    return this.put(this.at(folder, 'skills', name, 'SKILL.md'), skill(name, description));
  }

  at(...parts: readonly string[]): string {
    return join(this.workspace, ...parts);
  }

  skills(trusted = true): Skills {
    return new Skills({ workspace: this.workspace, home: this.home, trusted: () => trusted });
  }
}

function skill(name: string, description: string, more = ''): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n# ${name}\n\nFollow ${description}.\n`;
}

test('shows names and descriptions first, and the rest on request', async () => {
  const folders = new Folders().mine('forms').theirs('brew').theirs('cut', 'cuts', '.agents');
  const skills = folders.skills();
  expect(await skills.catalogue()).toEqual([
    { name: 'brew', description: 'theirs' },
    { name: 'cut', description: 'cuts' },
    { name: 'forms', description: 'mine' },
  ]);
  folders.put(folders.at('.oka/skills/brew/references/water.md'), 'Boil it.');
  folders.put(folders.at('.oka/skills/brew/.hidden'), 'no');
  const text = '# brew\n\nFollow theirs.';
  expect(await skills.read('brew')).toEqual({
    skill: 'brew',
    file: 'SKILL.md',
    text,
    bytes: text.length,
    files: ['references/water.md'],
  });
  expect(await skills.read('brew', 'references/water.md')).toMatchObject({ text: 'Boil it.', bytes: 8 });
});

test('leaves out the skills of an untrusted project', async () => {
  const skills = new Folders().mine('forms').theirs('brew').skills(false);
  expect((await skills.catalogue()).map(({ name }) => name)).toEqual(['forms']);
  expect(await skills.list()).toMatchObject({ trusted: false, skills: [{ name: 'forms', source: 'user' }] });
  await expect(skills.read('brew')).rejects.toMatchObject({
    code: 'skills.unknown',
    message: expect.stringContaining('oka init --trust'),
  });
});

test('lets no project replace a skill of the person, and says so', async () => {
  const skills = new Folders().mine('forms', 'mine').theirs('forms', 'theirs').skills();
  expect(await skills.catalogue()).toEqual([{ name: 'forms', description: 'mine' }]);
  expect((await skills.read('forms')).text).toContain('Follow mine');
  const { faulty } = await skills.list();
  expect(faulty).toMatchObject([
    { source: 'project', usable: false, problems: [{ code: 'skills.name_taken', severity: 'error' }] },
  ]);
});

test('lets no project take the name of a skill of the person that is broken', async () => {
  const folders = new Folders().theirs('forms');
  folders.put(join(folders.home, 'skills/forms/SKILL.md'), 'no front matter');
  expect(await folders.skills().catalogue()).toEqual([]);
  await expect(folders.skills().read('forms')).rejects.toMatchObject({ code: 'skills.invalid' });
});

test('offers the first of two skills of a project with the same name', async () => {
  const skills = new Folders().theirs('cut', 'first').theirs('cut', 'second', '.agents').skills();
  expect(await skills.catalogue()).toEqual([{ name: 'cut', description: 'first' }]);
  expect((await skills.check()).skills).toMatchObject([
    { path: '.oka/skills/cut/SKILL.md', valid: true },
    { path: '.agents/skills/cut/SKILL.md', valid: false, problems: [{ code: 'skills.name_taken' }] },
  ]);
});

test('offers a skill with a field that the format does not know, and reports the field', async () => {
  const folders = new Folders();
  folders.put(folders.at('.oka/skills/brew/SKILL.md'), skill('brew', 'tea', 'licence: MIT\nversion: 2\n'));
  const { skills, faulty } = await folders.skills().list();
  expect(skills).toMatchObject([{ name: 'brew' }]);
  expect(faulty).toMatchObject([
    {
      usable: true,
      valid: false,
      problems: [
        { code: 'skills.unknown_field', severity: 'warning', next: 'Did you mean "license"?' },
        { code: 'skills.unknown_field', next: 'Move it under metadata, or remove it.' },
      ],
    },
  ]);
});

test('shows the fields of a skill as they were written', async () => {
  const more =
    'license: MIT\nmetadata:\n  version: 1.10\n  tags: [a, b]\nallowed-tools: Bash(git log *), Read\n';
  const folders = new Folders();
  folders.put(folders.at('.oka/skills/brew/SKILL.md'), skill('brew', 'tea', more));
  expect(await folders.skills().show('brew')).toMatchObject({
    license: 'MIT',
    metadata: { version: '1.10', tags: '["a","b"]' },
    allowedTools: ['Bash(git log *)', 'Read'],
    source: 'project',
    problems: [],
  });
});

test.each([
  ['../brew/SKILL.md', 'skills.file_refused'],
  ['references/../../../secret.txt', 'skills.file_refused'],
  ['/etc/passwd', 'skills.file_refused'],
  ['..\\secret.txt', 'skills.file_refused'],
  ['.', 'skills.file_refused'],
  ['references', 'skills.file_refused'],
  ['link.md', 'skills.file_refused'],
  ['inside-link.md', 'skills.file_refused'],
  ['folder-link/secret.txt', 'skills.file_refused'],
  ['picture.png', 'skills.file_not_text'],
  ['large.txt', 'skills.file_too_large'],
  ['absent.md', 'skills.file_not_found'],
])('refuses to read %s below a skill', async (file, code) => {
  const folders = new Folders().theirs('brew');
  const folder = folders.at('.oka/skills/brew');
  folders.put(folders.at('outside/secret.txt'), 'secret');
  folders.put(join(folder, 'references/water.md'), 'Boil it.');
  folders.put(join(folder, 'picture.png'), new Uint8Array([137, 80, 78, 71, 0, 1]));
  folders.put(join(folder, 'large.txt'), 'x'.repeat(300_000));
  symlinkSync(folders.at('outside/secret.txt'), join(folder, 'link.md'));
  symlinkSync(join(folder, 'references/water.md'), join(folder, 'inside-link.md'));
  symlinkSync(folders.at('outside'), join(folder, 'folder-link'));
  await expect(folders.skills().read('brew', file)).rejects.toMatchObject({ code });
});

test('follows no link to a skill, to its file, or to the folder of skills', async () => {
  const folders = new Folders().theirs('brew', 'outside', 'elsewhere');
  const outside = folders.at('elsewhere/skills/brew');
  mkdirSync(folders.at('.oka/skills/filed'), { recursive: true });
  symlinkSync(outside, folders.at('.oka/skills/brew'));
  symlinkSync(join(outside, 'SKILL.md'), folders.at('.oka/skills/filed/SKILL.md'));
  mkdirSync(folders.at('.agents'));
  symlinkSync(folders.at('elsewhere/skills'), folders.at('.agents/skills'));
  const { skills, faulty } = await folders.skills().list();
  expect(skills).toEqual([]);
  expect(faulty.map(({ path, problems }) => [path, problems[0]?.code])).toEqual([
    ['.oka/skills/brew', 'skills.link_refused'],
    ['.oka/skills/filed/SKILL.md', 'skills.link_refused'],
    ['.agents/skills', 'skills.link_refused'],
  ]);
});

test.each(['../forms', 'forms/../forms', '/forms', 'FORMS', ''])('knows no skill "%s"', async (name) => {
  const skills = new Folders().mine('forms').skills();
  await expect(skills.read(name)).rejects.toMatchObject({ code: 'skills.unknown' });
});

test('suggests the skill that was probably meant', async () => {
  const skills = new Folders().mine('forms').skills();
  await expect(skills.show('form')).rejects.toThrow('Did you mean "forms"?');
});

test('checks a path outside every skill folder, trusted or not', async () => {
  const folders = new Folders();
  folders.put(folders.at('drafts/brew/SKILL.md'), skill('brew', 'tea'));
  folders.put(folders.at('drafts/cut/SKILL.md'), skill('Cut', 'tea'));
  folders.put(folders.at('drafts/notes/README.md'), 'no skill');
  const skills = folders.skills(false);
  expect(await skills.check('drafts')).toMatchObject({
    valid: false,
    skills: [
      { name: 'brew', valid: true },
      { name: 'cut', problems: [{ code: 'skills.name_invalid' }, { code: 'skills.name_differs' }] },
    ],
  });
  expect(await skills.check('drafts/brew/SKILL.md')).toMatchObject({ valid: true });
  expect(await skills.check('drafts/notes')).toMatchObject({
    valid: false,
    skills: [{ problems: [{ code: 'skills.no_file' }] }],
  });
  await expect(skills.check('absent')).rejects.toMatchObject({ code: 'skills.unknown' });
});

test('a run reads a skill with the tool skills.read', async () => {
  const folders = new Folders().theirs('brew');
  const engine = new Engine({
    kinds: [callKind],
    tools: builtInTools(),
    artifacts: new MemoryArtifactStore(systemClock),
    capabilities: { skills: folders.skills() },
  });
  const call = (input: JsonObject) =>
    engine.run({ kind: 'call', goal: 'read a skill', vars: { tool: 'skills.read', input } });
  expect(await call({ skill: 'brew' })).toMatchObject({
    ended: { status: 'completed' },
    output: { skill: 'brew', text: '# brew\n\nFollow theirs.', files: [] },
  });
  expect(await call({ skill: 'brew', file: '../../config.json' })).toMatchObject({
    ended: { status: 'failed' },
    failure: { code: 'skills.file_refused' },
  });
  await engine.close();
});
