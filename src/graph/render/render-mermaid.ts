import type { GraphDefinition, NodeStatus, RunStatuses } from '../types.ts';
import { clip, plainText } from './label-text.ts';
import { mermaidLabel } from './mermaid-label.ts';
import { type PictureEdge, type PictureNode, pictureOf } from './picture.ts';

const LONGEST = 48;

/** What stands before and after the label, for each type. */
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
  const lines = [plainText(id) + times, ...(detail === '' ? [] : [clip(plainText(detail), LONGEST)])];
  return `${before}"${lines.map(mermaidLabel).join('<br/>')}"${after}`;
}

function arrow({ from, to, label, kind }: PictureEdge): string {
  const line = kind === 'error' ? '-.->' : '-->';
  return `  n${from} ${line}${label === undefined ? '' : `|"${mermaidLabel(clip(plainText(label), LONGEST))}"|`} n${to}`;
}
