import type { Decision, Evidence, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import type { Goal } from '../../language/index.ts';
import { plainLine } from '../describe-text.ts';
import { call, callsOf, fail, failWith } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { type GitQuestion, type GitReport, reportOf } from './git-report.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';

interface GitParameters extends ReportParameters {
  readonly about: GitQuestion;
  /** The maximum number of commits. */
  readonly limit?: number | undefined;
  /** A period such as "since yesterday". */
  readonly period?: string | undefined;
}

const MAX_COMMITS = 500;
const POLITE = String.raw`^\s*(?:(?:please|hey|oka|can you|could you|would you|tell me|show me|give me|show|list|print|display|me|the|a|what is|what's|so)[\s,]+)*`;
const END = String.raw`(?:\s+(?:in|of|for|from|to)\s+(?:git|this|(?:this|the|my|our)\s+(?:repo(?:sitory)?|project|folder|workspace|codebase)))?(?:\s+(?:so far|please|now|right now))*\s*[?.!]*\s*$`;
const PERIOD = String.raw`(?<period>(?:since|after|from|in the (?:last|past)|over the (?:last|past)|during|on|between)\s+\S.*?|today|yesterday|(?:this|last) (?:week|month|year))`;
const COUNT = String.raw`(?:(?:last|latest|newest|most recent|recent)\s+)?(?:(?<limit>\d{1,3})\s+)?(?:(?:last|latest|newest|most recent|recent)\s+)?`;
const REPO = String.raw`(?:(?:git|repo(?:sitory)?|project|code)(?:['’]s)?\s+)`;
const FORMS: readonly (readonly [GitQuestion, RegExp])[] = [
  ['status', form(String.raw`(?:git\s+)?status(?:\s+of\s+(?:git|the\s+repo(?:sitory)?))`)],
  ['status', form(String.raw`git\s+status`)],
  [
    'status',
    form(
      String.raw`(?:what\s+(?:did|have)\s+(?:i|we)\s+(?:change|changed)|what\s+(?:is|are)\s+(?:un|not\s+)committed|(?:my\s+|our\s+|any\s+)?(?:uncommitted|unstaged|staged|local|pending)\s+changes|(?:are\s+there|do\s+i\s+have)\s+(?:any\s+)?(?:uncommitted|unstaged|local|pending)\s+changes|which\s+files\s+are\s+(?:not\s+committed|uncommitted)|what\s+(?:has\s+)?changed\s+in\s+git)`,
    ),
  ],
  [
    'history',
    form(
      String.raw`(?:summari[sz]e\s+)?(?:the\s+)?${REPO}?${COUNT}(?:git\s+)?(?:log|commits?|commit\s+history)(?:\s+${PERIOD})?`,
    ),
  ],
  [
    'history',
    form(
      String.raw`(?:(?:summari[sz]e|summary\s+of)\s+)?(?:the\s+)?${REPO}(?:history|log|summary)(?:\s+${PERIOD})?`,
    ),
  ],
  [
    'history',
    form(
      String.raw`(?:summari[sz]e|summary\s+of)\s+(?:the\s+)?(?:git\s+)?(?:repo(?:sitory)?\s+)?(?:history|git)(?:\s+${PERIOD})?`,
    ),
  ],
  [
    'history',
    form(
      String.raw`what\s+(?:has\s+)?(?:changed|happened)\s+in\s+(?:git|the\s+(?:repo(?:sitory)?|git\s+history))\s+${PERIOD}`,
    ),
  ],
  ['history', form(String.raw`what\s+did\s+(?:i|we)\s+(?:do|change|commit)\s+in\s+git\s+${PERIOD}`)],
  ['history', form(String.raw`what\s+(?:was|has\s+been|did\s+(?:i|we))\s+commit(?:ted)?\s+${PERIOD}`)],
  [
    'history',
    form(
      String.raw`(?:which|what|how\s+many)\s+commits\s+(?:are\s+there|were\s+(?:there|made)|do\s+we\s+have|have\s+we)(?:\s+${PERIOD})?`,
    ),
  ],
  ['authors', form(String.raw`(?:git\s+)?(?:authors|contributors|committers)(?:\s+by\s+commits)?`)],
  [
    'authors',
    form(
      String.raw`who\s+(?:are|were)\s+(?:the\s+)?(?:main\s+|top\s+)?(?:git\s+)?(?:authors|contributors|committers)`,
    ),
  ],
  [
    'authors',
    form(
      String.raw`who\s+(?:wrote|made|committed|contributed|authored)(?:\s+to)?(?:\s+the)?(?:\s+most)?(?:\s+of)?(?:\s+(?:this|it|the\s+code|the\s+commits|commits|code|this\s+code))?`,
    ),
  ],
  ['authors', form(String.raw`(?:top|main)\s+(?:authors|contributors|committers)`)],
  [
    'branches',
    form(
      String.raw`(?:all\s+)?(?:my\s+|our\s+)?(?:git\s+|local\s+)?branches(?:\s+(?:are\s+there|do\s+(?:i|we)\s+have|exist))?`,
    ),
  ],
  [
    'branches',
    form(
      String.raw`(?:which|what)\s+(?:git\s+)?branch(?:es)?(?:\s+(?:am\s+i\s+on|are\s+we\s+on|is\s+this|are\s+there|exist|do\s+(?:i|we)\s+have|is\s+checked\s+out))`,
    ),
  ],
  ['branches', form(String.raw`current\s+(?:git\s+)?branch`)],
];

function form(words: string): RegExp {
  return new RegExp(`${POLITE}${words}${END}`, 'iu');
}

/** Answers questions about a git repository with one command that only reads. */
export const gitHistory: Procedure = reportProcedure<GitParameters>({
  name: 'git-history',
  description:
    'Tells the status, history, authors and branches of a git repository, with commands that only read.',
  example: 'summarise the git history',
  triggers: [],
  tools: ['files.survey', 'process.run'],
  understand,
  look,
  effect,
  report,
});

function understand({ text }: Goal): { said: string; parameters: GitParameters } | undefined {
  if (text.length > 300) return undefined;
  for (const [about, pattern] of FORMS) {
    const found = pattern.exec(text);
    if (!found) continue;
    const { limit, period } = found.groups ?? {};
    return {
      said: `git ${about}`,
      parameters: { about, limit: limit === undefined ? undefined : Number(limit), period },
    };
  }
  return undefined;
}

function look(input: PlanInput, parameters: GitParameters): Decision | undefined {
  const { period } = parameters;
  const [survey] = callsOf(input, 'files.survey');
  if (period !== undefined && survey === undefined)
    return call('files.survey', { modified: period, depth: 1, limit: 0 }, `"${period}" depends on the clock`);
  if (survey?.failure) {
    const reason = `"${period}" is not a period that Oka knows. Write it as in: commits since yesterday`;
    return fail('agent.goal_not_understood', reason, 'the words mean no certain period');
  }
  return undefined;
}

function effect(input: PlanInput, parameters: GitParameters): Decision | undefined {
  const made = gitRun(input);
  if (made?.failure) return failWith(made);
  if (made) return undefined;
  const { period } = asObject(callsOf(input, 'files.survey')[0]?.output);
  const argv = commandFor(parameters, asObject(period ?? null));
  return call('process.run', { argv: [...argv] }, 'git answers it with a command that only reads');
}

function commandFor(
  { about, limit }: GitParameters,
  { from, until }: ReturnType<typeof asObject>,
): readonly string[] {
  const iso = (at: unknown): string => new Date(Number(at)).toISOString();
  switch (about) {
    case 'status':
      return ['git', 'status', '--porcelain=v1', '--branch'];
    case 'authors':
      return ['git', 'shortlog', '--summary', '--numbered', 'HEAD'];
    case 'branches':
      return [
        'git',
        'branch',
        '--list',
        '--format=%(HEAD)%09%(refname:short)%09%(committerdate:short)%09%(subject)',
      ];
    default:
      return [
        ...['git', 'log', `--max-count=${limit ?? MAX_COMMITS}`, '--date=short'],
        ...(from === undefined ? [] : [`--since=${iso(from)}`]),
        ...(until === undefined ? [] : [`--until=${iso(until)}`]),
        '--format=%h%x09%ad%x09%an%x09%s',
      ];
  }
}

function gitRun(input: PlanInput): Evidence | undefined {
  return callsOf(input, 'process.run').at(-1);
}

function report(input: PlanInput, parameters: GitParameters): Report {
  const { about, period, limit } = parameters;
  const title = `Git ${about}`;
  const { exitCode, stdout = '', stderr = '', truncated } = asObject(gitRun(input)?.output);
  if (/not a git repository|outside repository/i.test(String(stderr)))
    return {
      title,
      answer: 'This folder is not a git repository, so git cannot tell.',
      ...{ sections: [], facts: { git: false }, leftOut: [] },
      checks: [{ check: 'git finds no repository', holds: exitCode !== 0 }],
    };
  const isEmpty = /does not have any commits yet|unknown revision|ambiguous argument 'HEAD'/.test(
    String(stderr),
  );
  const read: GitReport = isEmpty
    ? { answer: 'The repository has no commits yet.', sections: [], facts: { commits: 0 } }
    : reportOf(about, String(stdout), { period, limit: limit ?? MAX_COMMITS });
  return {
    title,
    ...read,
    facts: { git: true, ...read.facts },
    leftOut: [
      ...(truncated === true ? ['the end of the output, which was too long to keep'] : []),
      ...(limit === undefined && read.facts['commits'] === MAX_COMMITS
        ? [`commits before the newest ${MAX_COMMITS}`]
        : []),
    ],
    checks: [
      {
        check: `git ended well${exitCode === 0 || isEmpty ? '' : `, but it said: ${plainLine(String(stderr), 200)}`}`,
        holds: exitCode === 0 || isEmpty,
      },
    ],
  };
}
