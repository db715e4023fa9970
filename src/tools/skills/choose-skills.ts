import { normalSkillName } from './skill-name.ts';
import type { FoundSkill, SkillProblem } from './types.ts';

/**
 * Settles who bears a name that several skills claim: the first one. Hand in the person's own skills before those of a
 * project, so that no project can put words into the mouth of a skill that the person trusts. The others are reported.
 */
export function chooseSkills(found: readonly FoundSkill[]): readonly FoundSkill[] {
  const bearers = new Map<string, FoundSkill>();
  return found.map((candidate) => {
    const name = normalSkillName(candidate.skill?.name ?? candidate.folderName);
    const bearer = bearers.get(name);
    if (bearer === undefined) {
      bearers.set(name, candidate);
      return candidate;
    }
    const { skill: _, ...rest } = candidate;
    return { ...rest, problems: [...candidate.problems, taken(name, candidate, bearer)] };
  });
}

function taken(name: string, candidate: FoundSkill, bearer: FoundSkill): SkillProblem {
  const whose = bearer.source === 'user' ? 'your own skill' : 'another skill of this project';
  return {
    code: 'skills.name_taken',
    severity: 'error',
    path: candidate.path,
    message: `${whose} of the name "${name}" stands in ${bearer.path} and is used instead`,
    next: 'Rename one of the two, or remove it.',
  };
}
