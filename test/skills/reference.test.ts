import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'skills-ref';
import { expect, test } from 'vitest';
import { SkillFiles } from '../../src/adapters/workspace/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { SHAPES, type Shape } from './shapes.ts';

function write(root: string, { folder, file = 'SKILL.md', text }: Shape): string {
  const place = join(root, folder);
  mkdirSync(place);
  if (text !== undefined) writeFileSync(join(place, file), text);
  return place;
}

test.each(SHAPES)('agrees with the reference about a skill with $what, or says why not', async (shape) => {
  const root = tempFolder();
  const place = write(root, shape);
  const [found] = await new SkillFiles({ workspace: root, home: join(root, 'home') }).at(place);
  const reference = await validate(place);
  expect(found?.problems.length === 0, JSON.stringify(found?.problems)).toBe(shape.valid);
  expect(reference.length === 0, reference.join('; ')).toBe(shape.valid === (shape.difference === undefined));
});

test.each(SHAPES.filter(({ valid }) => !valid))('suggests a fix for a skill with $what', async (shape) => {
  const root = tempFolder();
  const place = write(root, shape);
  const [found] = await new SkillFiles({ workspace: root, home: join(root, 'home') }).at(place);
  for (const problem of found?.problems ?? []) {
    expect(problem.code).toMatch(/^skills\.[a-z_]+$/);
    expect(problem.path).toContain(shape.folder);
    expect(problem.message).not.toMatch(/\.$/);
    expect(problem.next).toMatch(/^\p{Lu}.*/u);
  }
});
