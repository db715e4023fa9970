import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  OkaError,
  type PolicyCheckAnswer,
  type PolicyExplainAnswer,
  type PolicyFileView,
  type PolicyRuleView,
  type PolicyShowAnswer,
} from '../../api/index.ts';
import { parseJsonArgument } from '../context.ts';
import { exitOfCheck } from '../exit-codes.ts';
import { table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';

export function policyCommand(program: Command, run: Run): void {
  const policy = program
    .command('policy')
    .description('Show, check and explain the policy')
    .addHelpText(
      'after',
      `
Examples:
  oka policy show
  oka policy explain files.write '{"path":"docs/plan.md","content":"x"}'
  oka policy check
  oka policy check drafts/POLICY.md --user`,
    );
  policy
    .command('show')
    .description('Show the rules in force and the defaults')
    .action(() => answerWith(run, (api) => api.policy.show(), showPolicy));
  policy
    .command('check')
    .description('Check the policies in force, or a draft')
    .argument('[file]', 'Draft to check')
    .option('--user', 'Check the draft as your own policy, which may also allow')
    .action((file: string | undefined, options: { user?: boolean }) =>
      answerWith(
        run,
        async ({ policy: api }, { folder }) => {
          if (file === undefined) return api.check();
          const text = await readDraft(file, folder);
          return api.check({ file, text, owner: options.user ? 'user' : 'project' });
        },
        showCheck,
        exitOfCheck,
      ),
    );
  policy
    .command('explain')
    .description('Explain which rule decides a call and why')
    .argument('<tool>', 'Tool name')
    .argument('[input]', 'Tool input as JSON', '{}')
    .option('--kind <kind>', 'Assume a run of this kind, such as agent or graph')
    .option('--state <state>', 'Assume this state of the run')
    .option('--agent <name>', 'Assume this agent calls it')
    .addHelpText(
      'after',
      `\nExample:\n  oka policy explain http.fetch '{"url":"https://example.com"}' --state act`,
    )
    .action((tool: string, text: string, options: { kind?: string; state?: string; agent?: string }) =>
      answerWith(
        run,
        (api) => api.policy.explain({ tool, input: parseJsonArgument(text, 'the input'), ...options }),
        showExplanation,
      ),
    );
}

async function readDraft(file: string, folder: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(resolve(folder, file)));
  } catch (cause) {
    const problem = `Cannot read ${file}: ${(cause as Error).message}`;
    throw new OkaError('cli.usage', `${problem}. Give a UTF-8 policy file.`, { cause });
  }
}

const STATUS: Readonly<Record<PolicyFileView['status'], string>> = {
  in_force: 'in force',
  absent: 'missing',
  draft: 'not in force yet',
  not_trusted: 'not read: the workspace is not trusted',
  invalid: 'invalid, so no run starts',
};

function showFiles(files: readonly PolicyFileView[]): string {
  return table(
    ['file', 'status', 'path'],
    files.map(({ file, status, path }) => [visible(file), STATUS[status], visible(path)]),
  );
}

function showRules(rules: readonly PolicyRuleView[]): string[] {
  if (rules.length === 0) return [];
  const rows = rules.map(({ rule, match, decision, why, effective }) => [
    visible(rule),
    effective ? decision : `(${decision})`,
    visible(match),
    visible(why),
  ]);
  const warnings = rules.flatMap(({ rule, warnings: found }) => found.map((one) => `! ${rule} ${one}`));
  return ['', table(['rule', 'decision', 'match', 'why'], rows), ...warnings.map(visible)];
}

function showPolicy({ files, defaults, rules }: PolicyShowAnswer): string {
  const rows = defaults.map(({ match, decision, why }) => [decision, match, why]);
  return [
    showFiles(files),
    ...showRules(rules),
    '',
    'defaults, first match applies',
    table(['decision', 'match', 'why'], rows),
  ].join('\n');
}

function showCheck({ valid, files, rules, problems }: PolicyCheckAnswer): string {
  const found = problems.map(
    ({ file, line, column, message }) => `✗ ${visible(file)}:${line}:${column}  ${visible(message)}`,
  );
  const warnings = rules.reduce((sum, rule) => sum + rule.warnings.length, 0);
  const close = valid ? `✓ ${rules.length} rules, ${warnings} warnings` : `${problems.length} problems`;
  return [showFiles(files), ...showRules(rules), '', ...found, close].join('\n');
}

function showExplanation(answer: PolicyExplainAnswer): string {
  const { decision, rule, why, matches } = answer;
  const matched = matches.map(
    (one) =>
      `${one.decided ? '→' : ' '} ${one.decision.padEnd(5)} ${one.rule}  ${one.match}${one.note ? `  (${one.note})` : ''}`,
  );
  return [
    `${decision}  ${rule}: ${why}`,
    `tool      ${answer.tool} (${answer.sideEffect}, risk ${answer.risk})`,
    `default   ${answer.default.decision} (${answer.default.rule}): ${answer.default.why}`,
    ...(matched.length === 0 ? ['rules     none match'] : ['rules', ...matched]),
    ...answer.notes.map((note) => `note      ${note}`),
  ]
    .map(visible)
    .join('\n');
}
