import type { GraphDefinition, NodeStatus, RunStatuses } from '../types.ts';
import { clip, plainText } from './label-text.ts';
import { type PictureEdge, type PictureNode, pictureOf } from './picture.ts';

const MAX_COLUMNS = 48;

const SHAPES: Readonly<Record<PictureNode['type'], string>> = {
  start: 'oval',
  end: 'oval',
  tool: 'box',
  ai_template: 'box, style="rounded,filled"',
  typed_condition: 'diamond',
  llm_condition: 'diamond',
  transform: 'parallelogram',
  read_state: 'cylinder',
  write_state: 'cylinder',
  read_prior_runs: 'cylinder',
  approval: 'trapezium',
  wait: 'circle',
  map: 'box3d',
  subgraph: 'component',
  agent: 'hexagon',
  missing: 'box, style="dashed,filled", color="#c2410c"',
  unknown: 'box',
};

const COLOURS: Readonly<Record<NodeStatus, string>> = {
  completed: 'fillcolor="#dcfce7", color="#15803d"',
  failed: 'fillcolor="#fee2e2", color="#b91c1c"',
  running: 'fillcolor="#dbeafe", color="#1d4ed8", penwidth=2',
  waiting: 'fillcolor="#f8fafc", color="#94a3b8"',
  skipped: 'fillcolor="#f8fafc", color="#94a3b8", fontcolor="#94a3b8"',
};

/** A graph in the DOT language of Graphviz, at any size; with a run's statuses as colours when they are given. */
export function renderDot(definition: GraphDefinition, statuses?: RunStatuses): string {
  const { title, nodes, edges } = pictureOf(definition, statuses);
  return [
    'digraph {',
    `  graph [label=${quote(title)}, labelloc=t, rankdir=TB]`,
    '  node [fontname="sans-serif", fontsize=11, style=filled, fillcolor=white]',
    '  edge [fontname="sans-serif", fontsize=10]',
    ...nodes.map((node, i) => `  n${i} [${attributes(node)}]`),
    ...edges.map((edge) => `  n${edge.from} -> n${edge.to}${edgeAttributes(edge)}`),
    '}',
    '',
  ].join('\n');
}

function attributes({ id, type, detail, status, visits = 0 }: PictureNode): string {
  const times = visits > 1 ? ` ×${visits}` : '';
  const lines = detail === '' ? [id + times] : [id + times, clip(plainText(detail), MAX_COLUMNS)];
  const colour = status === undefined || type === 'missing' ? '' : `, ${COLOURS[status]}`;
  return `label=${quote(...lines)}, shape=${SHAPES[type]}${colour}`;
}

function edgeAttributes({ label, kind }: PictureEdge): string {
  const parts = [
    ...(label === undefined ? [] : [`label=${quote(clip(plainText(label), MAX_COLUMNS))}`]),
    ...(kind === 'error' ? ['style=dashed'] : []),
  ];
  return parts.length === 0 ? '' : ` [${parts.join(', ')}]`;
}

/** A quoted string: quotes and backslashes are escaped, and `&` too, because labels know HTML entities. */
function quote(...lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    plainText(line).replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"'),
  );
  return `"${escaped.join('\\n')}"`;
}
