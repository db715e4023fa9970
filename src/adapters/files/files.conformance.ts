import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf } from '../../kernel/index.ts';
import type { FileEntry, Files, ToolsErrorCode } from '../../tools/index.ts';

/** Conformance suite of Files. `make` returns files on a folder on disk. */
export function filesConformance(name: string, make: (root: string) => Files): void {
  describe(`${name} as Files`, () => {
    let around: string;
    let root: string;
    let files: Files;

    beforeEach(async () => {
      around = await mkdtemp(join(tmpdir(), 'oka files ü '));
      root = join(around, 'work space');
      await mkdir(root);
      await put('readme.md', '# Hello\n');
      await put('src/main.ts', 'export {};\n');
      await put('src/deep/er/leaf.txt', 'leaf');
      await writeFile(join(around, 'secret.txt'), 'secret');
      await mkdir(join(around, 'work space elsewhere'));
      files = make(root);
    });
    afterEach(() => rm(around, { recursive: true, force: true }));

    async function put(path: string, content: string): Promise<void> {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }

    async function refused(work: Promise<unknown>, code: ToolsErrorCode): Promise<void> {
      await expect(work).rejects.toMatchObject({ name: 'OkaError', code });
    }

    async function text(path: string): Promise<string> {
      return new TextDecoder().decode((await files.read(path)).content);
    }

    async function walked(path = '.'): Promise<string[]> {
      const found: FileEntry[] = [];
      for await (const entry of files.walk(path)) found.push(entry);
      return found.map((entry) => entry.path);
    }

    async function listed(path = '.', depth = 9): Promise<string[]> {
      return (await files.list(path, { depth, max: 100 })).entries.map((entry) => entry.path);
    }

    describe('reading', () => {
      it('returns content, size and digest', async () => {
        const file = await files.read('readme.md');
        expect(new TextDecoder().decode(file.content)).toBe('# Hello\n');
        expect(file).toMatchObject({
          path: 'readme.md',
          bytes: 8,
          digest: digestOf('# Hello\n'),
          truncated: false,
        });
      });

      it('truncates at maxBytes and returns the size and digest of the whole file', async () => {
        const file = await files.read('readme.md', { maxBytes: 3 });
        expect(new TextDecoder().decode(file.content)).toBe('# H');
        expect(file).toMatchObject({ bytes: 8, digest: digestOf('# Hello\n'), truncated: true });
      });

      it('accepts absolute paths inside the workspace, and normalizes relative ones', async () => {
        expect((await files.read(join(root, 'readme.md'))).path).toBe('readme.md');
        expect((await files.read('./src/../readme.md')).path).toBe('readme.md');
      });

      it('rejects missing files, folders and invalid paths', async () => {
        await refused(files.read('absent.txt'), 'files.not_found');
        await refused(files.read('absent/absent.txt'), 'files.not_found');
        await refused(files.read('readme.md/x'), 'files.not_a_folder');
        await refused(files.read('src'), 'files.not_a_file');
        await refused(files.read('.'), 'files.not_a_file');
        await refused(files.read(''), 'files.invalid_path');
        await refused(files.read('a\0b'), 'files.invalid_path');
      });

      it('returns the kind of an entry, and undefined if there is none', async () => {
        await symlink('readme.md', join(root, 'alias'));
        expect(await files.stat('readme.md')).toMatchObject({ path: 'readme.md', kind: 'file', bytes: 8 });
        expect(await files.stat('src')).toMatchObject({ path: 'src', kind: 'directory', bytes: 0 });
        expect(await files.stat('.')).toMatchObject({ path: '.', kind: 'directory', bytes: 0 });
        expect(await files.stat('alias')).toMatchObject({ kind: 'link' });
        expect(await files.stat('absent')).toBeUndefined();
        expect(await files.stat('absent/absent')).toBeUndefined();
        expect(await files.stat('readme.md/absent')).toBeUndefined();
        expect(await files.digest('absent')).toBeUndefined();
        expect(await files.digest('readme.md')).toBe(digestOf('# Hello\n'));
      });
    });

    describe('writing', () => {
      it('creates a file and its parent folders', async () => {
        const written = await files.writeAtomic('new/deep/note.txt', 'hällo');
        expect(written).toEqual({ path: 'new/deep/note.txt', bytes: 6, digest: digestOf('hällo') });
        expect(await text('new/deep/note.txt')).toBe('hällo');
        expect(await files.stat('new/deep')).toMatchObject({ kind: 'directory' });
        expect(await listed('new')).toEqual(['new/deep', 'new/deep/note.txt']);
        expect(await walked('new/deep')).toEqual(['new/deep/note.txt']);
      });

      it('replaces a whole file, with text or bytes', async () => {
        await files.writeAtomic('readme.md', 'x');
        expect(await text('readme.md')).toBe('x');
        await files.writeAtomic('readme.md', Uint8Array.of(0, 255));
        expect([...(await files.read('readme.md')).content]).toEqual([0, 255]);
        expect((await files.stat('readme.md'))?.bytes).toBe(2);
      });

      it('resolves a target path without creating anything', async () => {
        expect(await files.locate('new/./deep/x', 'write')).toBe('new/deep/x');
        expect(await files.stat('new')).toBeUndefined();
      });

      it('removes a file, then its empty folder, but no folder with content', async () => {
        await files.writeAtomic('new/note.txt', 'x');
        await refused(files.remove('new'), 'files.not_a_file');
        await files.remove('new/note.txt');
        expect(await files.stat('new/note.txt')).toBeUndefined();
        await refused(files.read('new/note.txt'), 'files.not_found');
        expect(await listed('new')).toEqual([]);
        await files.remove('new');
        expect(await files.stat('new')).toBeUndefined();
        await refused(files.list('new', { depth: 1, max: 1 }), 'files.not_found');
        await refused(files.remove('new'), 'files.not_found');
      });

      it('removes an existing file and writes it again', async () => {
        await files.remove('readme.md');
        expect(await listed('.', 1)).toEqual(['src']);
        await files.writeAtomic('readme.md', 'again');
        expect(await text('readme.md')).toBe('again');
      });

      it('moves a file, creates parent folders, and keeps its permissions', async () => {
        await chmod(join(root, 'readme.md'), 0o750);
        expect(await files.move('readme.md', './new/deep/../deep/text.md')).toBe('new/deep/text.md');
        expect(await text('new/deep/text.md')).toBe('# Hello\n');
        expect((await files.read('new/deep/text.md')).mode).toBe(0o750);
        expect(await files.stat('readme.md')).toBeUndefined();
        expect(await listed('.', 1)).toEqual(['new', 'src']);
      });

      it('does not overwrite with a move, and moves only files', async () => {
        await symlink('readme.md', join(root, 'alias'));
        for (const to of ['src/main.ts', 'src', 'readme.md', 'alias'])
          await refused(files.move('readme.md', to), 'files.exists');
        await refused(files.move('src', 'other'), 'files.not_a_file');
        await refused(files.move('alias', 'other'), 'files.not_a_file');
        await refused(files.move('absent', 'other'), 'files.not_found');
        await refused(files.move('readme.md', 'src/main.ts/x'), 'files.not_a_folder');
        expect(await text('readme.md')).toBe('# Hello\n');
        expect(await text('src/main.ts')).toBe('export {};\n');
        expect(await files.stat('other')).toBeUndefined();
      });

      it('creates folders, accepts existing ones, and rejects a path through a file', async () => {
        await files.makeFolder('one/two');
        await files.makeFolder('src');
        expect(await files.stat('one/two')).toMatchObject({ kind: 'directory' });
        expect(await files.stat('src/main.ts')).toMatchObject({ kind: 'file' });
        await refused(files.makeFolder('readme.md'), 'files.not_a_folder');
        await refused(files.makeFolder('readme.md/x'), 'files.not_a_folder');
      });

      it('sets the permissions of a new file, and keeps those of an existing one', async () => {
        await files.writeAtomic('new.sh', 'x', { mode: 0o755 });
        expect((await files.read('new.sh')).mode).toBe(0o755);
        await files.writeAtomic('new.sh', 'y', { mode: 0o600 });
        expect((await files.read('new.sh')).mode).toBe(0o755);
      });

      it('does not write over a folder or below a file', async () => {
        await refused(files.writeAtomic('src', 'x'), 'files.not_a_file');
        await refused(files.writeAtomic('readme.md/x', 'x'), 'files.not_a_folder');
        await files.writeAtomic('fresh', 'x');
        await refused(files.writeAtomic('fresh/deep/x', 'x'), 'files.not_a_folder');
        expect(await text('fresh')).toBe('x');
      });
    });

    describe('listing', () => {
      it('descends to the requested depth, sorted by path', async () => {
        expect(await listed('.', 1)).toEqual(['readme.md', 'src']);
        expect(await listed('.', 2)).toEqual(['readme.md', 'src', 'src/deep', 'src/main.ts']);
        expect(await listed('src/deep')).toEqual(['src/deep/er', 'src/deep/er/leaf.txt']);
      });

      it('drops the deepest entries first if there are too many', async () => {
        const listing = await files.list('.', { depth: 9, max: 3 });
        expect(listing.truncated).toBe(true);
        expect(listing.entries.map((entry) => entry.path)).toEqual(['readme.md', 'src', 'src/deep']);
        expect(await files.list('.', { depth: 1, max: 2 })).toMatchObject({ truncated: false });
      });

      it('does not list a file or a missing folder', async () => {
        await refused(files.list('readme.md', { depth: 1, max: 9 }), 'files.not_a_folder');
        await refused(files.list('absent', { depth: 1, max: 9 }), 'files.not_found');
      });

      it('applies ignore files at every level; the nearest one wins', async () => {
        await put('.gitignore', '*.log\n/build/\n');
        await put('.okaignore', 'private\n');
        await put('a.log', '');
        await put('build/out.js', '');
        await put('private/x', '');
        await put('src/.gitignore', '!keep.log\nmain.ts\n');
        await put('src/keep.log', '');
        await put('src/build/y', '');
        const visible = [
          '.gitignore',
          '.okaignore',
          'readme.md',
          'src/.gitignore',
          'src/build/y',
          'src/deep/er/leaf.txt',
          'src/keep.log',
        ];
        expect(await walked()).toEqual(visible);
        expect((await listed()).filter((path) => path.includes('.') || path.endsWith('y'))).toEqual(visible);
        expect(await walked('src')).toEqual(visible.filter((path) => path.startsWith('src/')));
      });

      it('lists an ignored folder that is requested by name, and everything on request', async () => {
        await put('.gitignore', 'build\n');
        await put('build/out.js', '');
        expect(await listed('build')).toEqual(['build/out.js']);
        const all = await files.list('.', { depth: 1, max: 9, ignored: true });
        expect(all.entries.map((entry) => entry.path)).toEqual(['.gitignore', 'build', 'readme.md', 'src']);
      });

      it('applies an ignore file that was just written', async () => {
        await files.writeAtomic('.gitignore', 'src\n');
        expect(await walked()).toEqual(['.gitignore', 'readme.md']);
      });

      it('lists links without following them', async () => {
        await symlink('src', join(root, 'alias'));
        await symlink(around, join(root, 'out'));
        const listing = await files.list('.', { depth: 9, max: 99 });
        expect(listing.entries.filter((entry) => entry.kind === 'link').map((entry) => entry.path)).toEqual([
          'alias',
          'out',
        ]);
        expect(await walked()).toEqual(['readme.md', 'src/deep/er/leaf.txt', 'src/main.ts']);
      });

      it('never lists protected files', async () => {
        await put('.git/config', '');
        await put('.oka/config.json', '');
        await put('vendor/.GIT/config', '');
        expect(await walked()).toEqual(['readme.md', 'src/deep/er/leaf.txt', 'src/main.ts']);
        expect(
          (await files.list('.', { depth: 9, max: 99, ignored: true })).entries.map((entry) => entry.path),
        ).not.toContain('.git');
      });
    });

    describe('protection', () => {
      const outside = ['../secret.txt', 'src/../../secret.txt', '/etc/passwd', '..', '/', 'src/../..'];
      it.each(outside)('rejects %s in every operation', async (path) => {
        await refused(files.read(path), 'files.outside_workspace');
        await refused(files.stat(path), 'files.outside_workspace');
        await refused(files.list(path, { depth: 1, max: 1 }), 'files.outside_workspace');
        await refused(walked(path), 'files.outside_workspace');
        await refused(files.writeAtomic(path, 'x'), 'files.outside_workspace');
        await refused(files.remove(path), 'files.outside_workspace');
        await refused(files.move(path, 'x'), 'files.outside_workspace');
        await refused(files.move('readme.md', path), 'files.outside_workspace');
        await refused(files.makeFolder(path), 'files.outside_workspace');
        await refused(files.locate(path, 'write'), 'files.outside_workspace');
      });

      it('rejects a sibling folder whose name has the same prefix', async () => {
        await refused(files.read(`${root} elsewhere/x`), 'files.outside_workspace');
        await refused(files.list('../work space elsewhere', { depth: 1, max: 1 }), 'files.outside_workspace');
      });

      it('rejects links that lead outside, as a file, as a folder and as a parent', async () => {
        await symlink('../secret.txt', join(root, 'file-link'));
        await symlink(around, join(root, 'folder-link'));
        await symlink(join(around, 'absent'), join(root, 'dangling'));
        await refused(files.read('file-link'), 'files.outside_workspace');
        await refused(files.writeAtomic('file-link', 'x'), 'files.outside_workspace');
        await refused(files.writeAtomic('dangling', 'x'), 'files.outside_workspace');
        await refused(files.read('folder-link/secret.txt'), 'files.outside_workspace');
        await refused(files.writeAtomic('folder-link/new/x.txt', 'x'), 'files.outside_workspace');
        await refused(files.remove('folder-link/secret.txt'), 'files.outside_workspace');
        await refused(files.move('folder-link/secret.txt', 'x'), 'files.outside_workspace');
        await refused(files.move('readme.md', 'folder-link/x'), 'files.outside_workspace');
        await refused(files.makeFolder('folder-link/x'), 'files.outside_workspace');
        await refused(files.list('folder-link', { depth: 1, max: 1 }), 'files.outside_workspace');
        expect(await walkedOutside()).toEqual(['secret.txt', 'work space', 'work space elsewhere']);
      });

      async function walkedOutside(): Promise<string[]> {
        const { readdir, readFile } = await import('node:fs/promises');
        expect(await readFile(join(around, 'secret.txt'), 'utf8')).toBe('secret');
        return (await readdir(around)).sort();
      }

      it('follows a folder link inside the workspace and returns the real path, but follows no file link', async () => {
        await symlink('src', join(root, 'alias'));
        await symlink('readme.md', join(root, 'file-alias'));
        expect((await files.read('alias/main.ts')).path).toBe('src/main.ts');
        expect((await files.writeAtomic('alias/new.ts', 'x')).path).toBe('src/new.ts');
        expect(await text('src/new.ts')).toBe('x');
        expect(await listed('alias', 1)).toEqual(['src/deep', 'src/main.ts', 'src/new.ts']);
        await refused(files.read('file-alias'), 'files.not_a_file');
        await refused(files.writeAtomic('file-alias', 'x'), 'files.not_a_file');
      });

      const hidden = [
        '.git/config',
        '.oka/config.json',
        '.GIT/hooks/pre-commit',
        '.Oka',
        'a/.git/x',
        '.git\u200b/x',
        '.git./x',
        '.ｇit/x',
      ];
      it.each(hidden)('rejects reading and writing %s, even if it does not exist', async (path) => {
        await refused(files.read(path), 'files.protected');
        await refused(files.stat(path), 'files.protected');
        await refused(files.writeAtomic(path, 'x'), 'files.protected');
        await refused(files.remove(path), 'files.protected');
        await refused(files.move('readme.md', path), 'files.protected');
        await refused(files.move(path, 'x'), 'files.protected');
        await refused(files.makeFolder(path), 'files.protected');
        await refused(files.locate(path, 'write'), 'files.protected');
      });

      it('rejects access to a protected folder through a link', async () => {
        await put('.git/config', 'x');
        await symlink('.git', join(root, 'alias'));
        await refused(files.read('alias/config'), 'files.protected');
        await refused(files.list('alias', { depth: 1, max: 1 }), 'files.protected');
        await refused(files.writeAtomic('alias/hooks/pre-commit', 'x'), 'files.protected');
        await refused(files.writeAtomic('alias/config', 'x'), 'files.protected');
      });

      it.each(['POLICY.md', 'policy.MD', '.mcp.json'])(
        'allows reading but not writing %s at the root',
        async (path) => {
          await refused(files.writeAtomic(path, 'x'), 'files.protected');
          await put(path, 'rules');
          expect(await text(path)).toBe('rules');
          await refused(files.writeAtomic(`./${path}`, 'x'), 'files.protected');
          await refused(files.remove(path), 'files.protected');
          expect((await files.writeAtomic(`docs/${path}`, 'x')).path).toBe(`docs/${path}`);
        },
      );

      it('allows writing AGENTS.md and names that only look similar', async () => {
        for (const path of ['AGENTS.md', '.gitignore', '.github/x.yml', '.okay']) {
          expect((await files.writeAtomic(path, 'x')).path).toBe(path);
        }
      });
    });
  });
}
