/** Why scenarios that no revision requires are not passed. */
const REASONS = [
  [
    /^tasks-/,
    'The tasks extension is not offered: a call that has to wait answers at once with its run, and `oka://run/<id>` tells what became of it.',
  ],
  [
    /^server-sse-polling$/,
    'Warnings only: streams are not resumed. A client that loses one reads `oka://run/<id>` instead.',
  ],
  [
    /^http-custom-header-server-validation$/,
    'Untestable: no tool asks for headers that repeat its arguments.',
  ],
];

/** The page about what was found. The same findings give the same page. */
export function report({ versions, required, own, inspector }) {
  return [
    '# MCP conformance',
    '',
    'Written by `node scripts/mcp-conformance.mjs`, which installs the peers, runs them and replaces this page.',
    '',
    `- suite: \`@modelcontextprotocol/conformance\` ${versions.suite}, with the requirement set of each revision`,
    `- inspector: \`@modelcontextprotocol/inspector\` ${versions.inspector}, its command line`,
    '',
    '## The suite',
    '',
    'The suite calls tools, resources and prompts by names of its choosing. A server of the tests offers them on the',
    'adapter that `oka mcp serve` uses, over HTTP with the token. Tools that ask the client back (marked *) are put on top',
    'of it there: Oka never asks a client, for what needs a person waits for `oka approvals`.',
    '',
    ...Object.entries(required).flatMap(([revision, results]) => showRevision(revision, results)),
    '## `oka mcp serve` itself',
    '',
    'Scenarios that need nothing of the suite on the server, against the built command on a small workspace.',
    '',
    ...Object.entries(own).flatMap(([revision, results]) => [
      `Revision ${revision}: ${tally(results)}.`,
      '',
      ...table(results),
      ...problems(results),
    ]),
    '## The inspector',
    '',
    '| call | stdio | http |',
    '|---|---|---|',
    ...[...new Set(inspector.map(({ what }) => what))].map((what) => {
      const mark = (transport) =>
        inspector.find((one) => one.what === what && one.transport === transport)?.ok ? 'passed' : 'FAILED';
      return `| ${what} | ${mark('stdio')} | ${mark('http')} |`;
    }),
    '',
  ].join('\n');
}

function showRevision(revision, results) {
  const scored = results.filter((one) => one.scored);
  const others = results.filter((one) => !one.scored);
  return [
    `### Revision ${revision}`,
    '',
    `Required: ${tally(scored)}.`,
    '',
    ...table(scored),
    ...problems(scored),
    `Not required: ${tally(others)}.`,
    '',
    '| scenario | checks passed | failed | why not required | remark |',
    '|---|---|---|---|---|',
    ...others.map(
      (one) => `| ${one.name} | ${one.passed} | ${one.failed} | ${one.why ?? ''} | ${remark(one)} |`,
    ),
    '',
  ];
}

function tally(results) {
  const good = results.filter(({ failed, passed }) => failed === 0 && passed > 0).length;
  return `${good} of ${results.length} scenarios passed`;
}

function table(results) {
  return [
    '| scenario | checks passed | failed |',
    '|---|---|---|',
    ...results.map(({ name, passed, failed }) => `| ${name}${asks(name)} | ${passed} | ${failed} |`),
    '',
  ];
}

function asks(name) {
  return /^(input-required|elicitation|tools-call-(sampling|elicitation))/.test(name) ? ' *' : '';
}

function problems(results) {
  const lines = results.flatMap(({ name, problems: found }) => found.map((what) => `- ${name}: ${what}`));
  return lines.length === 0 ? [] : [...lines, ''];
}

function remark({ name, failed, passed, problems: found }) {
  if (failed === 0 && passed > 0) return '';
  return REASONS.find(([pattern]) => pattern.test(name))?.[1] ?? found.join('; ');
}
