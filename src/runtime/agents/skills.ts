import { basename, join, relative } from 'node:path';
import { SkillFiles } from '../../adapters/workspace/index.ts';
import type {
  SkillCheckAnswer,
  SkillCheckView,
  SkillDetails,
  SkillListAnswer,
  SkillsApi,
  SkillView,
} from '../../api/index.ts';
import type { ContentOrigins } from '../../engine/index.ts';
import { didYouMean, nearestName, OkaError } from '../../kernel/index.ts';
import {
  chooseSkills,
  type FoundSkill,
  normalSkillName,
  type Skill,
  type SkillLibrary,
  type SkillSummary,
  type SkillsErrorCode,
  type SkillText,
} from '../../tools/index.ts';

interface SkillsOptions {
  readonly workspace: string;
  /** The user's Oka folder, which holds their skills. */
  readonly home: string;
  /** Whether the workspace's own skills may be used. */
  readonly trusted: () => boolean;
  /** What is known about the origin of content. */
  readonly content?: () => Promise<ContentOrigins>;
}

type UsableSkill = FoundSkill & { readonly skill: Skill };

/** The skills of the user and, if trusted, of the workspace. */
export class Skills implements SkillsApi, SkillLibrary {
  readonly #files: SkillFiles;
  readonly #trusted: () => boolean;
  readonly #options: SkillsOptions;

  constructor(options: SkillsOptions) {
    this.#files = new SkillFiles(options);
    this.#trusted = options.trusted;
    this.#options = options;
  }

  async catalogue(): Promise<readonly SkillSummary[]> {
    const usable = (await this.#all()).filter(isUsable);
    return usable.map(({ skill: { name, description } }) => ({ name, description })).sort(byName);
  }

  async read(name: string, file?: string): Promise<SkillText> {
    const found = await this.#require(name);
    if (file !== undefined) {
      const { text, bytes } = await this.#files.read(found, file);
      return { skill: found.skill.name, file, text, bytes, ...(await this.#origin(found, file)) };
    }
    const { body } = found.skill;
    const files = await this.#files.files(found);
    const about = { skill: found.skill.name, file: 'SKILL.md', bytes: Buffer.byteLength(body) };
    return { ...about, text: body, files, ...(await this.#origin(found, basename(found.path))) };
  }

  /** Where the text of a skill's file comes from, if it is untrusted. */
  async #origin({ folder }: FoundSkill, file: string): Promise<Pick<SkillText, 'untrustedFrom'>> {
    const path = relative(this.#options.workspace, join(folder, file));
    const untrustedFrom = await (await this.#options.content?.())?.untrustedFile(path);
    return untrustedFrom === undefined ? {} : { untrustedFrom };
  }

  async list(): Promise<SkillListAnswer> {
    const all = await this.#all();
    return {
      skills: all.filter(isUsable).map(viewSkill).sort(byName),
      faulty: all.filter(({ problems }) => problems.length > 0).map(viewCheck),
      trusted: this.#trusted(),
    };
  }

  async show(name: string): Promise<SkillDetails> {
    const found = await this.#require(name);
    const { license, compatibility, metadata, allowedTools, body } = found.skill;
    return {
      ...viewSkill(found),
      ...(license === undefined ? {} : { license }),
      ...(compatibility === undefined ? {} : { compatibility }),
      metadata,
      allowedTools,
      files: await this.#files.files(found),
      body,
      problems: found.problems,
    };
  }

  /** Checking only reads, so it needs no trust. */
  async check(path?: string): Promise<SkillCheckAnswer> {
    const found = path === undefined ? await this.#everywhere() : await this.#files.at(path);
    const skills = found.map(viewCheck);
    return { valid: skills.every(({ valid }) => valid), skills };
  }

  async #all(): Promise<readonly FoundSkill[]> {
    return this.#trusted() ? this.#everywhere() : chooseSkills(await this.#files.user());
  }

  async #everywhere(): Promise<readonly FoundSkill[]> {
    return chooseSkills([...(await this.#files.user()), ...(await this.#files.project())]);
  }

  async #require(given: string): Promise<UsableSkill> {
    const all = await this.#all();
    const name = normalSkillName(given);
    const usable = all.filter(isUsable);
    const found = usable.find(({ skill }) => skill.name === name);
    if (found) return found;
    const broken = all.find(({ folderName }) => normalSkillName(folderName) === name);
    const [problem] = broken?.problems ?? [];
    if (problem) {
      throw new OkaError<SkillsErrorCode>(
        'skills.invalid',
        `the skill "${name}" cannot be used: ${problem.message} (${problem.path}). ${problem.next}`,
        { data: { skill: name, problems: broken?.problems ?? [] } },
      );
    }
    const known = usable.map(({ skill }) => skill.name);
    const otherwise = this.#trusted()
      ? 'See: oka skills list.'
      : "The project's own skills are left out until you trust it with: oka init --trust.";
    throw new OkaError<SkillsErrorCode>(
      'skills.unknown',
      `there is no skill "${given}". ${didYouMean(nearestName(name, known), otherwise)}`,
      { data: { skill: given } },
    );
  }
}

function isUsable(found: FoundSkill): found is UsableSkill {
  return found.skill !== undefined;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function viewSkill({ skill, source, path }: UsableSkill): SkillView {
  return { name: skill.name, description: skill.description, source, path };
}

function viewCheck({ skill, folderName, source, path, problems }: FoundSkill): SkillCheckView {
  return {
    name: skill?.name ?? folderName,
    source,
    path,
    valid: problems.length === 0,
    usable: skill !== undefined,
    problems,
  };
}
