import type { GraphDefinition, RunStatuses } from '../types.ts';
import { clip, columnsOf, plainText } from './label-text.ts';
import { layOut, tooLargeToDraw } from './layout.ts';
import { type Picture, type PictureNode, pictureOf } from './picture.ts';
import type { Box, Point, Route } from './types.ts';

const MAX_NODES = 500;
const TEXT_COLUMNS = 32;
const MAX_LABEL_COLUMNS = 20;
const COLUMN = 8;
const ROW = 16;
const BOX_ROWS = 3;
const MARGIN = 16;
const TITLE_HEIGHT = 32;
const BEND = 6;
const POINTED = 10;

const MARKS = { completed: '✓ ', failed: '✗ ', running: '● ', waiting: '○ ', skipped: '– ' } as const;

interface Words {
  readonly name: string;
  readonly detail: string;
}

/**
 * A graph as a self-contained picture: no scripts, no external fonts, light and dark by the reader's choice. Refuses a
 * graph that is too large to read with `graph.too_large_to_draw`.
 */
export function renderSvg(definition: GraphDefinition, statuses?: RunStatuses): string {
  const picture = pictureOf(definition, statuses);
  if (picture.nodes.length > MAX_NODES)
    throw tooLargeToDraw(`${picture.nodes.length} nodes are more than a picture can show (${MAX_NODES})`);
  const words = picture.nodes.map(wordsOf);
  const labels = picture.edges.map(({ label = '' }) => clip(plainText(label), MAX_LABEL_COLUMNS));
  const layout = layOut(
    words.map(({ name, detail }) => ({
      width: 4 + Math.max(columnsOf(name), columnsOf(detail)),
      height: BOX_ROWS,
    })),
    picture.edges.map(({ from, to }, i) => ({ from, to, labelWidth: columnsOf(labels[i] ?? '') })),
    { gap: 3, rows: 2 },
  );
  const title = plainText(picture.title);
  const width = Math.max(layout.width, columnsOf(title)) * COLUMN + 2 * MARGIN;
  const height = layout.height * ROW + 2 * MARGIN + TITLE_HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${xml(title)}">`,
    `<title>${xml(title)}</title>`,
    `<desc>${xml(describe(picture, statuses))}</desc>`,
    `<style>${SVG_STYLE}</style>`,
    '<defs><marker id="oka-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>',
    `<rect class="page" width="${width}" height="${height}"/>`,
    `<text class="title" x="${MARGIN}" y="${MARGIN + 8}">${xml(title)}</text>`,
    `<g transform="translate(${MARGIN} ${MARGIN + TITLE_HEIGHT - 8})">`,
    ...layout.routes.map((route, i) => drawRoute(route, picture.edges[i]?.kind ?? 'next')),
    ...layout.boxes.map((box, i) => drawNode(box, picture.nodes[i] as PictureNode, words[i] as Words)),
    ...layout.routes.flatMap(({ label }, i) => (labels[i] ? [drawLabel(label, labels[i])] : [])),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function wordsOf({ id, detail, status, visits = 0 }: PictureNode): Words {
  const mark = status === undefined ? '' : MARKS[status];
  const times = visits > 1 ? ` ×${visits}` : '';
  return {
    name: mark + clip(plainText(id), TEXT_COLUMNS) + times,
    detail: clip(plainText(detail), TEXT_COLUMNS),
  };
}

function describe({ nodes, edges }: Picture, statuses: RunStatuses | undefined): string {
  const run = statuses ? ` Run ${plainText(statuses.run)} is ${plainText(statuses.status)}.` : '';
  return `A graph of ${nodes.length} nodes and ${edges.length} edges.${run}`;
}

function drawNode({ x, y, width, height }: Box, node: PictureNode, { name, detail }: Words): string {
  const place = { x: x * COLUMN, y: y * ROW, width: width * COLUMN, height: height * ROW };
  const middle = place.x + place.width / 2;
  const about = [node.id, node.detail, node.status ?? ''].map(plainText).filter((text) => text !== '');
  const baseline = place.y + (detail === '' ? 29 : 20);
  return [
    `<g class="${['node', node.type, node.status].filter((part) => part !== undefined).join(' ')}">`,
    `<title>${xml(about.join(': '))}</title>`,
    outline(node.type, place),
    `<text class="name" x="${middle}" y="${baseline}">${xml(name)}</text>`,
    detail === '' ? '' : `<text class="detail" x="${middle}" y="${place.y + 36}">${xml(detail)}</text>`,
    '</g>',
  ].join('');
}

function outline(type: PictureNode['type'], { x, y, width, height }: Box): string {
  if (type === 'typed_condition' || type === 'llm_condition') {
    const [right, middle, bottom] = [x + width, y + height / 2, y + height];
    return `<path class="box" d="M${x + POINTED} ${y}H${right - POINTED}L${right} ${middle}L${right - POINTED} ${bottom}H${x + POINTED}L${x} ${middle}z"/>`;
  }
  const round = ROUND[type] ?? 4;
  const inner =
    type === 'map' || type === 'subgraph'
      ? `<path class="box" d="M${x + 6} ${y}V${y + height}M${x + width - 6} ${y}V${y + height}"/>`
      : '';
  return `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}"/>${inner}`;
}

const ROUND: Partial<Record<PictureNode['type'], number>> = {
  start: 24,
  end: 24,
  ai_template: 14,
  agent: 14,
  wait: 24,
};

function drawLabel({ x, y }: Point, label: string): string {
  return `<text class="label" x="${x * COLUMN + 2}" y="${y * ROW + 12}">${xml(label)}</text>`;
}

function drawRoute({ points }: Route, kind: string): string {
  return `<path class="edge ${kind}" marker-end="url(#oka-arrow)" d="${roundedPath(toPixels(points))}"/>`;
}

/** The middle of each cell; the ends lie on the borders of their boxes. */
function toPixels(points: readonly Point[]): Point[] {
  return points.map((point, i) => {
    const other = i === 0 ? points[1] : i === points.length - 1 ? points.at(-2) : undefined;
    const towards = (there = 0, here = 0): number => (1 + Math.sign(there - here)) / 2;
    const [dx, dy] = other ? [towards(other.x, point.x), towards(other.y, point.y)] : [0.5, 0.5];
    return { x: (point.x + dx) * COLUMN, y: (point.y + dy) * ROW };
  });
}

function roundedPath(points: readonly Point[]): string {
  const [start] = points as readonly [Point];
  let path = `M${start.x} ${start.y}`;
  for (const [i, corner] of points.slice(1, -1).entries()) {
    const before = points[i] as Point;
    const after = points[i + 2] as Point;
    const bend = Math.min(BEND, distance(before, corner) / 2, distance(corner, after) / 2);
    const into = between(corner, before, bend);
    const out = between(corner, after, bend);
    path += `L${into.x} ${into.y}Q${corner.x} ${corner.y} ${out.x} ${out.y}`;
  }
  const end = points.at(-1) as Point;
  return `${path}L${end.x} ${end.y}`;
}

function distance(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

function between(from: Point, to: Point, length: number): Point {
  return { x: from.x + Math.sign(to.x - from.x) * length, y: from.y + Math.sign(to.y - from.y) * length };
}

function xml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The style of a drawn graph: one set of colours for light pages and one for dark ones. */
const SVG_STYLE = [
  'svg{--page:#fff;--ink:#0f172a;--soft:#64748b;--line:#64748b;--fill:#f8fafc;--edge:#cbd5e1;--good:#15803d;--bad:#b91c1c;--busy:#1d4ed8;--odd:#c2410c}',
  '@media (prefers-color-scheme:dark){svg{--page:#0b1120;--ink:#e2e8f0;--soft:#94a3b8;--line:#94a3b8;--fill:#172033;--edge:#475569;--good:#4ade80;--bad:#f87171;--busy:#60a5fa;--odd:#fb923c}}',
  'text{font-family:system-ui,sans-serif;fill:var(--ink)}',
  '.page{fill:var(--page)}',
  '.title{font-size:16px;font-weight:600}',
  '.name{font-size:13px;font-weight:600;text-anchor:middle}',
  '.detail{font-size:11px;fill:var(--soft);text-anchor:middle}',
  '.label{font-size:11px;fill:var(--soft);stroke:var(--page);stroke-width:3px;paint-order:stroke}',
  '.box{fill:var(--fill);stroke:var(--edge);stroke-width:1.5}',
  '.edge{fill:none;stroke:var(--line);stroke-width:1.5}',
  '.edge.error{stroke-dasharray:5 4}',
  '.head{fill:var(--line)}',
  '.completed .box{stroke:var(--good)}',
  '.completed .name{fill:var(--good)}',
  '.failed .box{stroke:var(--bad);stroke-width:2.5}',
  '.failed .name{fill:var(--bad)}',
  '.running .box{stroke:var(--busy);stroke-width:2.5}',
  '.running .name{fill:var(--busy)}',
  '.waiting .name,.skipped .name{fill:var(--soft)}',
  '.skipped .box{stroke-dasharray:2 3}',
  '.missing .box{stroke:var(--odd);stroke-dasharray:5 4}',
  '.missing .name{fill:var(--odd)}',
].join('');
