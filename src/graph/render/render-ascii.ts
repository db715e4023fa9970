import type { GraphDefinition, NodeStatus, RunStatuses } from '../types.ts';
import { Canvas } from './canvas.ts';
import { clip, columnsOf, plainText } from './label-text.ts';
import { layOut, tooLargeToDraw } from './layout.ts';
import { type Picture, type PictureNode, pictureOf } from './picture.ts';
import type { Box, Layout, Point, Route } from './types.ts';

export interface AsciiOptions {
  /** The available columns; 100 by default. */
  readonly width?: number;
  /** Only characters that every terminal has. */
  readonly ascii?: boolean;
  /** Adds colour to the mark and name of a node. */
  readonly colour?: (text: string, status: NodeStatus) => string;
}

const MAX_NODES = 60;
const DEFAULT_WIDTH = 100;
const GAP = 2;
const MAX_LABEL_COLUMNS = 12;
/** The maximum length of texts in boxes; a drawing that is too wide uses the next one. */
const TEXT_COLUMNS = [28, 18, 12];

const MARKS: Readonly<Record<NodeStatus, readonly [string, string]>> = {
  completed: ['✓', 'v'],
  failed: ['✗', 'x'],
  running: ['●', '*'],
  waiting: ['○', 'o'],
  skipped: ['–', '-'],
};

/** Corners from the upper left, clockwise, then the level and the upright side. */
const FRAMES = {
  plain: '┌┐┘└─│',
  start: '╭╮╯╰─│',
  end: '╭╮╯╰─│',
  missing: '┌┐┘└╌╎',
  ascii: '++++-|',
} as const;

interface Sheet {
  readonly picture: Picture;
  readonly texts: readonly (readonly [string, string])[];
  readonly labels: readonly string[];
  readonly layout: Layout;
}

/**
 * Draws a graph with characters, from top to bottom, with the marks of a run when its statuses are given. Refuses a graph
 * that does not fit with `graph.too_large_to_draw`.
 */
export function renderAscii(
  definition: GraphDefinition,
  statuses?: RunStatuses,
  options: AsciiOptions = {},
): string {
  const picture = pictureOf(definition, statuses);
  const { width = DEFAULT_WIDTH } = options;
  if (picture.nodes.length > MAX_NODES)
    throw tooLargeToDraw(`${picture.nodes.length} nodes are more than text can show (${MAX_NODES})`);
  let sheet: Sheet | undefined;
  for (const columns of TEXT_COLUMNS) {
    sheet = prepare(picture, columns, options);
    if (sheet.layout.width <= width) return draw(sheet, options);
  }
  throw tooLargeToDraw(`the drawing needs ${sheet?.layout.width} columns and there are ${width}`);
}

function prepare(picture: Picture, columns: number, { ascii = false }: AsciiOptions): Sheet {
  const mark = ascii ? '~' : '…';
  const texts = picture.nodes.map((node): [string, string] => [
    clip(plainText(node.id), columns, mark),
    clip(plainText(node.detail), columns, mark),
  ]);
  const labels = picture.edges.map(({ label = '' }) => clip(plainText(label), MAX_LABEL_COLUMNS, mark));
  const sizes = picture.nodes.map((node, i) => {
    const [name, detail] = texts[i] ?? ['', ''];
    const width = 4 + Math.max(columnsOf(statusOf(node, ascii) + name), columnsOf(detail));
    return { width, height: detail === '' ? 3 : 4 };
  });
  const edges = picture.edges.map(({ from, to }, i) => ({
    from,
    to,
    labelWidth: columnsOf(labels[i] ?? ''),
  }));
  return { picture, texts, labels, layout: layOut(sizes, edges, { gap: GAP, rows: 1 }) };
}

function statusOf({ status, visits = 0 }: PictureNode, ascii: boolean): string {
  if (status === undefined) return '';
  return `${MARKS[status][ascii ? 1 : 0]} ${visits > 1 ? `${ascii ? 'x' : '×'}${visits} ` : ''}`;
}

function draw({ picture, texts, labels, layout }: Sheet, options: AsciiOptions): string {
  const { ascii = false, colour } = options;
  const canvas = new Canvas(layout.width, layout.height, ascii);
  for (const [i, route] of layout.routes.entries())
    drawRoute(canvas, route, picture.edges[i]?.kind === 'error');
  for (const [i, box] of layout.boxes.entries()) {
    const node = picture.nodes[i] as PictureNode;
    const [name, detail] = texts[i] ?? ['', ''];
    const { status } = node;
    drawFrame(canvas, box, ascii ? FRAMES.ascii : (FRAMES[node.type as keyof typeof FRAMES] ?? FRAMES.plain));
    const paint = status && colour ? (text: string) => colour(text, status) : undefined;
    centre(canvas, box, 1, statusOf(node, ascii) + name, paint);
    centre(canvas, box, 2, detail);
  }
  for (const [i, { points, label }] of layout.routes.entries()) {
    canvas.write(label.x, label.y, labels[i] ?? '');
    drawEnds(canvas, points, ascii);
  }
  return `${canvas}\n`;
}

function drawRoute(canvas: Canvas, { points, net }: Route, dashed: boolean): void {
  for (const [i, point] of points.slice(1).entries()) canvas.line(points[i] ?? point, point, net, dashed);
}

function drawFrame(canvas: Canvas, { x, y, width, height }: Box, frame: string): void {
  const [upperLeft, upperRight, lowerRight, lowerLeft, level = '', upright = ''] = frame;
  const side = level.repeat(width - 2);
  canvas.write(x, y, `${upperLeft}${side}${upperRight}`);
  for (let row = y + 1; row < y + height - 1; row++)
    canvas.write(x, row, `${upright}${' '.repeat(width - 2)}${upright}`);
  canvas.write(x, y + height - 1, `${lowerLeft}${side}${lowerRight}`);
}

function centre(canvas: Canvas, box: Box, row: number, text: string, paint?: (text: string) => string): void {
  const left = Math.floor((box.width - columnsOf(text)) / 2);
  canvas.write(box.x + left, box.y + row, text, paint);
}

/** Joins the line to the border where it starts, and puts an arrow before the border where it ends. */
function drawEnds(canvas: Canvas, points: readonly Point[], ascii: boolean): void {
  const [start, second] = points as readonly [Point, Point];
  const [end, before] = [points.at(-1), points.at(-2)] as readonly [Point, Point];
  const joint = start.y < second.y ? '┬' : start.y > second.y ? '┴' : '├';
  canvas.write(start.x, start.y, ascii ? '+' : joint);
  const [arrow, plain] = end.y > before.y ? ['▼', 'v'] : end.y < before.y ? ['▲', '^'] : ['◄', '<'];
  const x = end.x + Math.sign(before.x - end.x);
  const y = end.y + Math.sign(before.y - end.y);
  canvas.write(x, y, ascii ? plain : arrow);
}
