import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findWorkspace } from './find-workspace.ts';

/** A home folder with these folders in it; answers with its path. */
function homeWith(...folders: readonly string[]): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'oka-home-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
  return home;
}

test('the nearest folder with a workspace is found, starting with the folder itself', () => {
  const home = homeWith('garden/.oka', 'garden/beds/.oka', 'garden/beds/roses', 'garden/paths/old');
  const find = (folder: string) => findWorkspace(join(home, folder), { home, oka: join(home, 'x') });
  expect(find('garden')).toBe(join(home, 'garden'));
  expect(find('garden/paths/old')).toBe(join(home, 'garden'));
  expect(find('garden/beds/roses')).toBe(join(home, 'garden/beds'));
});

test('a workspace in the home folder counts only there', () => {
  const home = homeWith('.oka', 'garden');
  const user = { home, oka: join(home, '.config/oka') };
  expect(findWorkspace(home, user)).toBe(home);
  expect(findWorkspace(join(home, 'garden'), user)).toBeUndefined();
});

test('the user folder is not a workspace, even if it is named .oka', () => {
  const home = homeWith('people/ada/.oka', 'people/ada/garden');
  const user = { home, oka: join(home, 'people/ada/.oka') };
  expect(findWorkspace(join(home, 'people/ada/garden'), user)).toBeUndefined();
  expect(findWorkspace(join(home, 'people/ada'), user)).toBeUndefined();
});

test('a link named .oka is skipped above the folder, and accepted in the folder itself', () => {
  const home = homeWith('elsewhere/.oka', 'garden/beds');
  symlinkSync(join(home, 'elsewhere/.oka'), join(home, 'garden/.oka'));
  const user = { home, oka: join(home, 'x') };
  expect(findWorkspace(join(home, 'garden/beds'), user)).toBeUndefined();
  expect(findWorkspace(join(home, 'garden'), user)).toBe(join(home, 'garden'));
});

test('a folder reached through a link belongs to the workspace of its real path', () => {
  const home = homeWith('garden/.oka', 'garden/beds', 'elsewhere');
  symlinkSync(join(home, 'garden/beds'), join(home, 'elsewhere/beds'));
  const found = findWorkspace(join(home, 'elsewhere/beds'), { home, oka: join(home, 'x') });
  expect(found).toBe(join(home, 'garden'));
});

test('a folder that does not exist belongs to no workspace', () => {
  const home = homeWith();
  expect(findWorkspace(join(home, 'none/below'), { home, oka: join(home, 'x') })).toBeUndefined();
});
