import { contentOf } from './system-paths.ts';

const POINTER = /^gitdir: (.+?)[\r\n]*$/s;

/**
 * What a repository's `info/exclude` says, as a byte string; empty where there is none. In a work tree or a submodule, `.git`
 * is a file that says where the repository lies, and that may name another that it shares its rules with.
 */
export function excludedByRepository(root: string): string {
  const git = `${root}/.git`;
  const pointer = textOf(git);
  if (pointer === undefined) return textOf(`${git}/info/exclude`) ?? '';
  const named = POINTER.exec(pointer)?.[1];
  if (named === undefined) return '';
  const own = from(root, named);
  const shared = textOf(`${own}/commondir`)?.trimEnd();
  const repository = shared === undefined ? own : from(own, shared);
  return textOf(`${repository}/info/exclude`) ?? '';
}

function textOf(path: string): string | undefined {
  const content = contentOf(path);
  return typeof content === 'string' ? content : undefined;
}

function from(folder: string, path: string): string {
  return path.startsWith('/') ? path : `${folder}/${path}`;
}
