import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { OkaError } from '../../kernel/index.ts';
import {
  type FoundSkill,
  parseSkill,
  type SkillProblem,
  type SkillSource,
  type SkillsErrorCode,
} from '../../tools/index.ts';
import { parseFrontMatter } from './front-matter.ts';
import { readPlainFile } from './plain-file.ts';
import {
  byteOrderMark,
  MAX_FILE_BYTES,
  MAX_SKILL_BYTES,
  refusedFile,
  refusedSkill,
} from './skill-refusals.ts';

const MAX_SKILLS = 1_000;
const MAX_FILES = 200;
const MAX_LEVELS = 4;
const FILE_NAMES = ['SKILL.md', 'skill.md'];
const PROJECT_FOLDERS = [join('.oka', 'skills'), join('.agents', 'skills')];

/** A folder of skills below a root; links below the root are not followed. */
interface Place {
  readonly root: string;
  readonly below: string;
  readonly source: SkillSource;
}

/** The skill files of a user and of a workspace. */
export class SkillFiles {
  readonly #workspace: string;
  readonly #home: string;

  constructor(options: { readonly workspace: string; readonly home: string }) {
    this.#workspace = options.workspace;
    this.#home = options.home;
  }

  /** The user's own skills, by name. */
  user(): Promise<readonly FoundSkill[]> {
    return this.#inFolder({ root: this.#home, below: 'skills', source: 'user' });
  }

  /** The workspace's skills, by folder and name. The caller has checked that it is trusted. */
  async project(): Promise<readonly FoundSkill[]> {
    const places = PROJECT_FOLDERS.map((below) => ({
      root: this.#workspace,
      below,
      source: 'project' as const,
    }));
    return (await Promise.all(places.map((place) => this.#inFolder(place)))).flat();
  }

  /** The skills at a path: one skill, its SKILL.md, or a folder of skills. */
  async at(path: string): Promise<readonly FoundSkill[]> {
    const whole = resolve(this.#workspace, path);
    const kind = await kindOf(whole);
    if (kind === undefined) {
      throw new OkaError<SkillsErrorCode>(
        'skills.unknown',
        `Nothing exists at ${path}. Pass the folder of a skill, or a folder of skills.`,
        { data: { path } },
      );
    }
    const folder = kind === 'file' ? dirname(whole) : whole;
    const source = this.#sourceOf(folder);
    const place = { root: dirname(folder), below: '.', source };
    const one = kind === 'file' || (await skillFileIn(folder)) !== undefined;
    if (one) return [await this.#find(place, basename(folder))];
    const inside = await this.#inFolder({ root: folder, below: '.', source });
    const skills = inside.filter(({ problems }) => problems.every(({ code }) => code !== 'skills.no_file'));
    return skills.length > 0 ? skills : [await this.#find(place, basename(folder))];
  }

  /** Reads a text file below the folder of a skill. */
  async read(skill: FoundSkill, file: string): Promise<{ readonly text: string; readonly bytes: number }> {
    const name = skill.folderName;
    const path = pathBelow(file);
    if (path === undefined) {
      throw new OkaError<SkillsErrorCode>(
        'skills.file_refused',
        `"${file}" is not below the folder of the skill ${name}. Pass a path relative to it, without "..".`,
        { data: { skill: name, file } },
      );
    }
    const found = await readPlainFile(skill.folder, path, { maxBytes: MAX_FILE_BYTES });
    if ('refused' in found) throw refusedFile(found.refused, name, file);
    return found;
  }

  /** The files below a skill's folder, without links and hidden files. */
  async files(skill: FoundSkill): Promise<readonly string[]> {
    const files: string[] = [];
    const folders = [{ path: '', level: 1 }];
    for (const { path, level } of folders) {
      for (const entry of await entriesOf(join(skill.folder, path))) {
        if (entry.name.startsWith('.')) continue;
        const inside = path === '' ? entry.name : `${path}/${entry.name}`;
        if (entry.isDirectory() && level < MAX_LEVELS) folders.push({ path: inside, level: level + 1 });
        else if (entry.isFile() && files.length < MAX_FILES) files.push(inside);
      }
    }
    return files.filter((file) => !FILE_NAMES.includes(file));
  }

  async #inFolder(place: Place): Promise<readonly FoundSkill[]> {
    const folder = join(place.root, place.below);
    const entries = (await entriesOf(folder)).filter(({ name }) => !name.startsWith('.'));
    if (entries.length > 0 && (await isReachedByLink(place)))
      return [this.#broken(place, '', refusedSkill('link', this.#shown(folder)))];
    const skills = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
    const found = await Promise.all(skills.slice(0, MAX_SKILLS).map(({ name }) => this.#find(place, name)));
    if (skills.length <= MAX_SKILLS) return found;
    const problem: SkillProblem = {
      code: 'skills.too_many',
      severity: 'error',
      path: this.#shown(folder),
      message: `the folder contains ${skills.length} skills, more than the limit of ${MAX_SKILLS}`,
      next: 'Remove skills that you do not need.',
    };
    return [...found, this.#broken(place, '', problem)];
  }

  async #find(place: Place, folderName: string): Promise<FoundSkill> {
    const folder = join(place.root, place.below, folderName);
    const entry = await lstat(folder).catch(() => undefined);
    if (entry?.isSymbolicLink())
      return this.#broken(place, folderName, refusedSkill('link', this.#shown(folder)));
    const fileName = await skillFileIn(folder);
    if (fileName === undefined)
      return this.#broken(place, folderName, refusedSkill('missing', this.#shown(folder)));
    const path = this.#shown(join(folder, fileName));
    const inside = join(place.below, folderName, fileName);
    const file = await readPlainFile(place.root, inside, { maxBytes: MAX_SKILL_BYTES });
    if ('refused' in file) return this.#broken(place, folderName, refusedSkill(file.refused, path));
    return this.#parse(place, { folderName, path, text: file.text });
  }

  async #parse(
    place: Place,
    file: { readonly folderName: string; readonly path: string; readonly text: string },
  ): Promise<FoundSkill> {
    const { folderName, path, text } = file;
    const parts = await parseFrontMatter(text, { scalars: 'text' });
    if ('problem' in parts) {
      const { missing, message, next } = parts.problem;
      const code = missing ? 'skills.no_front_matter' : 'skills.front_matter_invalid';
      return this.#broken(place, folderName, { code, severity: 'error', path, message, next });
    }
    const { fields, body, marked } = parts;
    const { skill, problems } = parseSkill({ fields, body, folderName, path });
    return {
      folderName,
      folder: join(place.root, place.below, folderName),
      path,
      source: place.source,
      ...(skill === undefined ? {} : { skill }),
      problems: marked ? [byteOrderMark(path), ...problems] : problems,
    };
  }

  #broken(place: Place, folderName: string, problem: SkillProblem): FoundSkill {
    const folder = join(place.root, place.below, folderName);
    const name = folderName === '' ? basename(folder) : folderName;
    return { folderName: name, folder, path: problem.path, source: place.source, problems: [problem] };
  }

  /** The displayed path: relative to the workspace for files inside it. */
  #shown(path: string): string {
    return isBelow(this.#workspace, path) ? relative(this.#workspace, path) : path;
  }

  #sourceOf(folder: string): SkillSource {
    return isBelow(this.#home, folder) ? 'user' : 'project';
  }
}

/** A relative path below a folder, checked lexically; undefined for any other. */
function pathBelow(path: string): string | undefined {
  if (path.includes('\0') || path.includes('\\') || isAbsolute(path)) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join(sep);
}

function isBelow(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

async function isReachedByLink({ root, below }: Place): Promise<boolean> {
  return (await realpath(join(root, below))) !== join(await realpath(root), below);
}

/** The name of the skill file, as spelled in its folder. */
async function skillFileIn(folder: string): Promise<string | undefined> {
  const names = (await entriesOf(folder)).map(({ name }) => name);
  return FILE_NAMES.find((name) => names.includes(name));
}

/** The entries of a folder, by name; none if it cannot be read. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  return found.isFile() ? 'file' : 'folder';
}
