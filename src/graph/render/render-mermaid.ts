import type { GraphDefinition, NodeStatus, RunStatuses } from '../types.ts';
import { clip, plainText } from './label-text.ts';
import { type PictureEdge, type PictureNode, pictureOf } from './picture.ts';

const MAX_COLUMNS = 48;

/** The text before and after the label, for each type. */
const SHAPES: Readonly<Record<PictureNode['type'], readonly [string, string]>> = {
  start: ['([', '])'],
  end: ['([', '])'],
  tool: ['[', ']'],
  ai_template: ['(', ')'],
  typed_condition: ['{', '}'],
  llm_condition: ['{', '}'],
  transform: ['[/', '/]'],
  read_state: ['[(', ')]'],
  write_state: ['[(', ')]'],
  read_prior_runs: ['[(', ')]'],
  approval: ['[/', '\\]'],
  wait: ['((', '))'],
  map: ['[[', ']]'],
  subgraph: ['[[', ']]'],
  agent: ['{{', '}}'],
  missing: ['>', ']'],
  unknown: ['[', ']'],
};

const CLASSES: Readonly<Record<NodeStatus | 'missing', string>> = {
  completed: 'fill:#dcfce7,stroke:#15803d,color:#14532d',
  failed: 'fill:#fee2e2,stroke:#b91c1c,color:#7f1d1d',
  running: 'fill:#dbeafe,stroke:#1d4ed8,color:#1e3a8a,stroke-width:3px',
  waiting: 'fill:#f8fafc,stroke:#94a3b8,color:#475569',
  skipped: 'fill:#f8fafc,stroke:#94a3b8,color:#475569,stroke-dasharray:2 3',
  missing: 'fill:#fff7ed,stroke:#c2410c,color:#7c2d12,stroke-dasharray:5 4',
};

const ZERO_WIDTH = '\u200b';
const THIN_SPACE = '\u200a';

/** Characters that Markdown interprets, and a replacement with an invisible character that it does not interpret. */
const MARKDOWN: readonly (readonly [RegExp, string])[] = [
  // Lists, headings and quotations begin a line.
  [/^(?=[^\p{L}])/u, ZERO_WIDTH],
  // Addresses and icons.
  [/:(?=\S)/g, `:${ZERO_WIDTH}`],
  [/@/g, `${ZERO_WIDTH}@`],
  [/(?<=www)\./gi, `${ZERO_WIDTH}.`],
  [/\](?=[([])/g, `]${ZERO_WIDTH}`],
  // Formulas and escapes.
  [/\$(?=\$)/g, `$$${ZERO_WIDTH}`],
  [/\\(?=[^\p{L}\p{N}\s])/gu, `\\${ZERO_WIDTH}`],
  // Emphasis does not start before a space. Inside of words the underscore is plain.
  [/[*~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, `$&${THIN_SPACE}`],
  // Nothing prevents two backticks from being code, so they become a similar character.
  [/`/g, 'ˋ'],
];

/** Characters to escape. The space in "direction LR" is one: Mermaid reads that as a statement anywhere in a line. */
const SYNTAX = /[^\p{L}\p{M}\p{N} _.,×…-]|(?<=direction) /gu;

/** A graph as a Mermaid flowchart, at any size; with a run's statuses as classes when they are given. */
export function renderMermaid(definition: GraphDefinition, statuses?: RunStatuses): string {
  const { title, nodes, edges } = pictureOf(definition, statuses);
  const classes = nodes.map(classOf);
  const used = new Set(classes.filter((name) => name !== undefined));
  return [
    '---',
    `title: ${JSON.stringify(plainText(title))}`,
    '---',
    'flowchart TD',
    ...nodes.map((node, i) => `  n${i}${shape(node)}${classes[i] ? `:::${classes[i]}` : ''}`),
    ...edges.map(arrow),
    ...[...used].sort().map((name) => `  classDef ${name} ${CLASSES[name]}`),
    '',
  ].join('\n');
}

function classOf({ type, status }: PictureNode): keyof typeof CLASSES | undefined {
  return type === 'missing' ? 'missing' : status;
}

function shape({ id, type, detail, visits = 0 }: PictureNode): string {
  const [before, after] = SHAPES[type];
  const times = visits > 1 ? ` ×${visits}` : '';
  const lines = [plainText(id) + times, ...(detail === '' ? [] : [clip(plainText(detail), MAX_COLUMNS)])];
  return `${before}"${lines.map(mermaidLabel).join('<br/>')}"${after}`;
}

function arrow({ from, to, label, kind }: PictureEdge): string {
  const line = kind === 'error' ? '-.->' : '-->';
  return `  n${from} ${line}${label === undefined ? '' : `|"${mermaidLabel(clip(plainText(label), MAX_COLUMNS))}"|`} n${to}`;
}

/** A text as a literal Mermaid label, without syntax or Markdown. Never empty, because Mermaid refuses an empty label. */
function mermaidLabel(text: string): string {
  let guarded = text;
  for (const [pattern, instead] of MARKDOWN) guarded = guarded.replace(pattern, instead);
  const coded = guarded.replace(SYNTAX, (character) => `#${character.codePointAt(0)};`);
  return coded === '' ? ' ' : coded;
}
