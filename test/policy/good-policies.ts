// Policies that can be enforced, with the rules that they hold: `line decision match`.

const HEAD = '| match | decision | why |\n|---|---|---|\n';

/** A table with these rows and nothing else. */
export function policyOf(...rows: readonly string[]): string {
  return HEAD + rows.map((row) => `${row}\n`).join('');
}

interface GoodPolicy {
  readonly name: string;
  readonly text: string;
  readonly rules: readonly string[];
}

const good = (name: string, text: string, ...rules: readonly string[]): GoodPolicy => ({ name, text, rules });
const row = (match: string, printed = match): GoodPolicy =>
  good(match, policyOf(`| \`${match}\` | deny | because |`), `3 deny ${printed}`);

export const GOOD_POLICIES: readonly GoodPolicy[] = [
  good('an empty table says that there are no rules', HEAD),
  good(
    'prose around tables',
    `# Rules\n\nRead this.\n\n${policyOf('| files.* | allow | x |')}\nMore.\n`,
    '7 allow files.*',
  ),
  good('prose right above a table', `Read this.\n${policyOf('| files.* | allow | x |')}`, '4 allow files.*'),
  good(
    'two tables',
    `${policyOf('| a | allow | x |')}\n## More\n\n${policyOf('| b | deny | y |')}`,
    '3 allow a',
    '9 deny b',
  ),
  good(
    'lines that end with CR LF',
    policyOf('| a | ask | x |', '| b | deny | y |').replaceAll('\n', '\r\n'),
    '3 ask a',
    '4 deny b',
  ),
  good('a byte order mark', `\uFEFF${policyOf('| a | ask | x |')}`, '3 ask a'),
  good('no newline at the end', policyOf('| a | ask | x |').trimEnd(), '3 ask a'),
  good('no outer bars', 'match | decision | why\n--- | --- | ---\nfiles.* | deny | x\n', '3 deny files.*'),
  good(
    'aligned columns',
    '|  match  | decision |  why |\n|:--|:-:|--:|\n|  a   |  ask |  x   |\n',
    '3 ask a',
  ),
  good(
    'headings and decisions in capitals',
    '| Match | DECISION | Why |\n|---|---|---|\n| a | Deny | x |\n',
    '3 deny a',
  ),
  good('a decision in backticks', policyOf('| `a` | `deny` | x |'), '3 deny a'),
  good('an empty why', policyOf('| a | deny | |'), '3 deny a'),
  good('a bar and emoji in the why', policyOf('| a | deny | this \\| that ⚠️ 👩‍💻 |'), '3 deny a'),
  good(
    'an example in a fence',
    `${policyOf('| a | ask | x |')}\n\`\`\`\n| b | deny | y |\n\`\`\`\n`,
    '3 ask a',
  ),
  good(
    'an example in a fence of tildes',
    `~~~md\n${policyOf('| b | deny | y |')}~~~\n\n${policyOf('| a | ask | x |')}`,
    '9 ask a',
  ),
  good('a row in a comment', `<!--\n| b | deny | y |\n-->\n\n${policyOf('| a | ask | x |')}`, '7 ask a'),
  good(
    'a table about something else',
    `| who | when |\n|---|---|\n| Ann | Monday |\n\n${policyOf('| a | ask | x |')}`,
    '7 ask a',
  ),
  good('a list above', `- one\n- two\n\n${policyOf('| a | ask | x |')}`, '6 ask a'),
  good('the same row twice', policyOf('| a | ask | x |', '| a | ask | y |'), '3 ask a', '4 ask a'),
  good(
    'backticks around parts',
    policyOf('| `files.*` and path in `docs/**` | ask | x |'),
    '3 ask files.* and path in docs/**',
  ),
  good(
    'an address that becomes a link',
    policyOf('| http.fetch and host is www.example.com | ask | x |'),
    '3 ask http.fetch and host is www.example.com',
  ),
  row('*'),
  row('mcp.github.*'),
  row('*.delete'),
  row('files.write and path is docs/plan.md'),
  row('files.* and path not in src/**/*.ts'),
  row('files.* and path is "my notes/a & b.md"'),
  row('files.* and path in "späte Blüte/**"'),
  row('process.run and argv[0] is git'),
  row('process.run and input.argv[0] is not git', 'process.run and argv[0] is not git'),
  row('process.run and argv starts with git status and state is act'),
  row('process.run and argv starts with git commit -m "and so on"'),
  row('http.fetch and host in *.Example.com', 'http.fetch and host in *.example.com'),
  row('http.fetch and host is [::1]'),
  row('http.fetch and method is not GET'),
  row('mcp.github.create_issue and input.labels[0].name is "needs review"'),
  row('x and input.count is 5'),
  row('x and input.pattern is "a*b"'),
  row('* and side effect is external_mutation'),
  row('* and side effect is not read'),
  row('* and risk at least medium'),
  row('* and agent is anton and kind is graph'),
];
