import {
  IGNORE_FILES,
  IgnoreRules,
  type NodeIndex,
  pathBytes,
  pathIn,
  type TreeErrorCode,
} from '../../context/index.ts';
import { OkaError } from '../../kernel/index.ts';
import { excludedByRepository } from './excluded-by-repository.ts';
import { type FolderPlace, FolderVisit } from './folder-visit.ts';
import { isFolder, type Stamps } from './node-stamp.ts';
import { bytesOfText, codeOf, contentOf, lookAt, type Places, TOO_LARGE } from './system-paths.ts';

/** What reaching a folder needs. */
export interface FolderReachParts {
  readonly workspace: string;
  readonly index: NodeIndex;
  readonly places: Places;
  readonly stamps: Stamps;
}

/** Finds the way to a folder of the workspace, and the rules that hold there. */
export class FolderReach {
  readonly #parts: FolderReachParts;
  readonly #root: string;

  constructor(parts: FolderReachParts) {
    this.#parts = parts;
    this.#root = bytesOfText(parts.workspace);
  }

  /** A visit to a folder that is named by its path; undefined when there is no such folder. Throws for the workspace. */
  visitAt(path: string): FolderVisit | undefined {
    try {
      return this.#reach(path);
    } catch (error) {
      if (path !== '') return undefined;
      throw this.failure(codeOf(error), error);
    }
  }

  /** The rules in a folder in which these ignore files stand, given those above it, and the files that were too large. */
  rulesIn(
    { place, bytes }: Pick<FolderPlace, 'place' | 'bytes'>,
    ignoreFiles: number,
    above: IgnoreRules,
  ): { readonly rules: IgnoreRules; readonly tooLarge: readonly string[] } {
    let rules = above;
    const tooLarge: string[] = [];
    for (const [bit, name] of IGNORE_FILES.entries()) {
      if ((ignoreFiles & (1 << bit)) === 0) continue;
      const content = contentOf(`${place}/${name}`) ?? '';
      if (content === TOO_LARGE) tooLarge.push(name);
      else rules = rules.with(bytes, content);
    }
    return { rules, tooLarge };
  }

  /** The workspace itself cannot be looked at. */
  failure(code: string, cause?: unknown): OkaError<TreeErrorCode> {
    const { workspace } = this.#parts;
    return new OkaError(
      'context.scan_failed',
      `${workspace} cannot be scanned: the system answers ${code}; check the folder and its permissions.`,
      { data: { workspace, code }, cause },
    );
  }

  #reach(path: string): FolderVisit | undefined {
    const { index, places, stamps } = this.#parts;
    let rules = IgnoreRules.none.with('', excludedByRepository(this.#root));
    let [place, bytes, at] = [this.#root, '', ''];
    const names = path === '' ? [] : path.split('/');
    for (const name of names) {
      rules = this.rulesIn({ place, bytes }, index.folder(at)?.ignoreFiles ?? 0, rules).rules;
      const raw = pathBytes(name);
      if (!isFolder(lookAt(`${place}/${raw}`))) return undefined;
      place = places.below(place, raw);
      bytes = pathIn(bytes, raw);
      at = pathIn(at, name);
    }
    const found = lookAt(`${place}/.`);
    if (!isFolder(found)) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    const stamp = stamps.stampOf(found);
    return new FolderVisit({ path, bytes, place, depth: names.length, rules, stamp }, index.folder(path));
  }
}
