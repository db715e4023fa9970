import type { Command } from 'commander';
import type {
  SkillCheckAnswer,
  SkillCheckView,
  SkillDetails,
  SkillListAnswer,
  SkillProblemView,
} from '../../api/index.ts';
import { exitOfCheck } from '../exit-codes.ts';
import { pathArgument } from '../find-workspace.ts';
import { clip, showFacts, table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';

export function skillsCommand(program: Command, run: Run): void {
  const skills = program
    .command('skills')
    .description('List and check skills: instructions for agents')
    .addHelpText(
      'after',
      '\nExamples:\n  oka skills list\n  oka skills show read-invoices\n  oka skills check\n  oka skills check .agents/skills/read-invoices',
    );
  skills
    .command('list')
    .description('List the skills available to agents')
    .action(() =>
      run(async (context) => {
        const answer = await (await context.open()).skills.list();
        context.printer.answer(answer, showList);
        for (const { problems } of answer.faulty)
          for (const problem of problems) context.printer.message(showProblem(problem));
        if (!answer.trusted)
          context.printer.message('Skills of this project are ignored until you trust it: oka init --trust');
      }),
    );
  skills
    .command('show')
    .description('Show a skill')
    .argument('<name>', 'Skill name')
    .action((name: string) =>
      answerWith(run, async (api) => ({ skill: await api.skills.show(name) }), showSkill),
    );
  skills
    .command('check')
    .description('Check skills and list every problem with a fix')
    .argument('[path]', 'Skill or folder of skills; checks all if omitted', pathArgument)
    .action((path: string | undefined) =>
      answerWith(run, (api) => api.skills.check(path), showCheck, exitOfCheck),
    );
}

function showList({ skills }: SkillListAnswer): string {
  if (skills.length === 0) return 'No skills yet. Create .oka/skills/<name>/SKILL.md';
  const rows = skills.map(({ name, source, description }) => [
    visible(name),
    source === 'user' ? 'yours' : 'project',
    clip(description, 100),
  ]);
  return table(['skill', 'from', 'description'], rows);
}

function showSkill({ skill }: { readonly skill: SkillDetails }): string {
  const tools = skill.allowedTools.join(' ');
  return [
    visible(skill.name),
    `  ${visible(skill.description)}`,
    ...showFacts([
      ['path', skill.path],
      ['from', skill.source === 'user' ? 'your own folder' : 'this project'],
      ['license', skill.license],
      ['needs', skill.compatibility],
      ['tools', tools === '' ? undefined : `${tools} (grants nothing)`],
      ...Object.entries(skill.metadata),
      ['files', skill.files.join(', ') || undefined],
    ]),
    ...skill.problems.map((problem) => `  ${showProblem(problem)}`),
    '',
    visible(skill.body),
  ].join('\n');
}

function showCheck({ skills }: SkillCheckAnswer): string {
  if (skills.length === 0) return 'No skills yet. Create .oka/skills/<name>/SKILL.md';
  return skills.flatMap(showChecked).join('\n');
}

function showChecked({ path, valid, problems }: SkillCheckView): readonly string[] {
  return valid ? [`✓ ${visible(path)}`] : problems.map(showProblem);
}

function showProblem({ code, severity, path, message, next }: SkillProblemView): string {
  const mark = severity === 'error' ? '✗' : '!';
  return `${mark} ${visible(path)}: ${visible(message)}. ${visible(next)} (${code})`;
}
