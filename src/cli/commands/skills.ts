import type { Command } from 'commander';
import type {
  SkillCheckAnswer,
  SkillCheckView,
  SkillDetails,
  SkillListAnswer,
  SkillProblemView,
} from '../../api/index.ts';
import { EXIT } from '../exit-codes.ts';
import { clip, table } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

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
        return EXIT.ok;
      }),
    );
  skills
    .command('show')
    .description('Show a skill')
    .argument('<name>', 'Skill name')
    .action((name: string) =>
      run(async (context) => {
        const skill = await (await context.open()).skills.show(name);
        context.printer.answer({ skill }, (data) => showSkill(data.skill));
        return EXIT.ok;
      }),
    );
  skills
    .command('check')
    .description('Check skills and list every problem with a fix')
    .argument('[path]', 'Skill or folder of skills; checks all if omitted')
    .action((path: string | undefined) =>
      run(async (context) => {
        const answer = await (await context.open()).skills.check(path);
        context.printer.answer(answer, showCheck);
        return answer.valid ? EXIT.ok : EXIT.invalidInput;
      }),
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

function showSkill(skill: SkillDetails): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['path', skill.path],
    ['from', skill.source === 'user' ? 'your own folder' : 'this project'],
    ['license', skill.license],
    ['needs', skill.compatibility],
    ['tools', skill.allowedTools.length > 0 ? `${skill.allowedTools.join(' ')} (grants nothing)` : undefined],
    ...Object.entries(skill.metadata),
    ['files', skill.files.length > 0 ? skill.files.join(', ') : undefined],
  ];
  const known = facts.filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([name]) => name.length));
  return [
    visible(skill.name),
    `  ${visible(skill.description)}`,
    ...known.map(([name, value]) => `  ${visible(name).padEnd(width)}  ${visible(value ?? '')}`),
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
