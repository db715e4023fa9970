import { OkaError } from '../../kernel/index.ts';
import { assignLayers } from './layers.ts';
import { type Item, leftOf, placeItems } from './place-items.ts';
import { type PlacedEdge, portsOf } from './ports.ts';
import { type Net, type Port, routeChannel } from './route-channel.ts';
import type { Box, BoxSize, Layout, LayoutEdge, LayoutOptions, RenderErrorCode, Route } from './types.ts';

const LOOP_ROOM = 4;
const MAX_ITEMS = 20_000;

/** Lays a graph out from top to bottom. The same graph gives the same layout. */
export function layOut(
  sizes: readonly BoxSize[],
  edges: readonly LayoutEdge[],
  options: LayoutOptions,
): Layout {
  const { layerOf, upward } = assignLayers(sizes.length, edges);
  const widths = sizes.map(({ width }, i) => boxWidth(width, i, edges, upward));
  const items = widths.map((width, i) => makeItem(layerOf[i] ?? 0, width, loopRoom(i, edges), i));
  const layers: Item[][] = Array.from({ length: 1 + Math.max(-1, ...layerOf) }, () => []);
  const heights = layers.map(() => 0);
  for (const [i, { height }] of sizes.entries()) {
    const layer = layerOf[i] ?? 0;
    heights[layer] = Math.max(heights[layer] ?? 0, height);
  }
  for (const item of items) layers[item.layer]?.push(item);
  const placed = joinEdges(edges, items, layers, upward);
  const all = layers.flat();
  if (all.length > MAX_ITEMS) throw tooLargeToDraw(`its edges would need ${all.length} bends`);
  placeItems(layers, options.gap);
  const left = all.reduce((least, item) => Math.min(least, leftOf(item)), Number.POSITIVE_INFINITY);
  for (const item of all) item.x -= left;
  const ports = portsOf(placed);
  const { channels, tops, height } = stackLayers(heights, placed, ports, options);
  const boxes = items.map((item) => ({
    x: item.x - Math.floor(item.box / 2),
    y: tops[item.layer] ?? 0,
    width: item.box,
    height: heights[item.layer] ?? 0,
  }));
  const routes = new Map(
    placed.map((one) => [one.edge, routeEdge(one, ports.get(one) ?? [], tops, channels)]),
  );
  return {
    width: all.reduce((most, item) => Math.max(most, leftOf(item) + item.width), 0),
    height,
    boxes,
    routes: edges.map((edge, i) => routes.get(edge) ?? loopRoute(edge, edges.slice(0, i), boxes)),
  };
}

/** Wide enough for every edge that starts at its lower or upper side, each with its label. */
function boxWidth(
  width: number,
  node: number,
  edges: readonly LayoutEdge[],
  upward: ReadonlySet<LayoutEdge>,
): number {
  const needs = [false, true].map((up) => {
    const starts = edges.filter((edge) => edge.from === node && edge.to !== node && upward.has(edge) === up);
    const room = Math.max(0, ...starts.map(({ labelWidth }) => labelWidth + 2));
    const shared = edges.some((edge) => edge.to === node && edge.from !== node && upward.has(edge) !== up);
    return 1 + (starts.length + Number(shared) + 1) * Math.max(2, room);
  });
  return Math.max(width, ...needs);
}

function loopRoom(node: number, edges: readonly LayoutEdge[]): number {
  const loops = edges.filter(({ from, to }) => from === node && to === node);
  return Math.max(0, ...loops.map(({ labelWidth }) => labelWidth + LOOP_ROOM));
}

function makeItem(layer: number, box: number, margin: number, order: number): Item {
  return { layer, box, width: box + 2 * margin, above: [], below: [], order, x: 0 };
}

/** Joins the ends of each edge layer by layer. Edges to the same node share their bends and their line. */
function joinEdges(
  edges: readonly LayoutEdge[],
  items: readonly Item[],
  layers: Item[][],
  upward: ReadonlySet<LayoutEdge>,
): PlacedEdge[] {
  const bends = new Map<string, Item>();
  const joined = new Map<Item, Set<Item>>();
  return edges.flatMap((edge) => {
    if (edge.from === edge.to) return [];
    const up = upward.has(edge);
    const net = 2 * edge.to + Number(up);
    const upper = items[up ? edge.to : edge.from] as Item;
    const lower = items[up ? edge.from : edge.to] as Item;
    const path = [upper];
    for (let layer = upper.layer + 1; layer < lower.layer; layer++) {
      const key = `${net} ${layer}`;
      const bend = bends.get(key) ?? makeItem(layer, 1, 0, upper.order);
      if (!bends.has(key)) layers[layer]?.push(bend);
      bends.set(key, bend);
      path.push(bend);
    }
    path.push(lower);
    for (const [i, item] of path.slice(1).entries()) {
      const before = path[i] as Item;
      const known = joined.get(before) ?? new Set();
      if (known.has(item)) continue;
      joined.set(before, known.add(item));
      before.below.push(item);
      item.above.push(before);
    }
    return [{ edge, up, net, path }];
  });
}

/** The space below a layer: its first row, the nets in it, and the row of the first horizontal line. */
interface Channel {
  readonly top: number;
  readonly nets: ReadonlyMap<number, Net>;
  readonly firstTrack: number;
}

/** Routes the edges between each two layers and computes the distance of the layers. */
function stackLayers(
  heights: readonly number[],
  placed: readonly PlacedEdge[],
  ports: ReadonlyMap<PlacedEdge, readonly Port[]>,
  options: LayoutOptions,
): { channels: Channel[]; tops: number[]; height: number } {
  const nets = heights.map(() => new Map<number, Net>());
  const labels = heights.map(() => ({ below: 0, above: 0, arrow: 0 }));
  for (const one of placed) {
    const { edge, up, net, path } = one;
    const passed = ports.get(one) ?? [];
    for (const [i, item] of path.slice(0, -1).entries()) {
      const known = nets[item.layer]?.get(net) ?? { upper: new Set(), lower: new Set() };
      known.upper.add(passed[i] as Port);
      known.lower.add(passed[i + 1] as Port);
      nets[item.layer]?.set(net, known);
    }
    const labelled = labels[path.at(up ? -2 : 0)?.layer ?? 0];
    if (labelled && edge.labelWidth > 0) labelled[up ? 'above' : 'below'] = 1;
    const arrived = labels[path[0]?.layer ?? 0];
    if (arrived && up) arrived.arrow = 1;
  }
  const channels: Channel[] = [];
  const tops: number[] = [];
  let y = 0;
  for (const [layer, passing] of nets.entries()) {
    tops.push(y);
    y += heights[layer] ?? 0;
    const { below = 0, above = 0, arrow = 0 } = labels[layer] ?? {};
    const stub = Math.max(below, arrow, Number(options.rows > 1));
    const tracks = routeChannel([...passing.values()]);
    channels.push({ top: y, nets: passing, firstTrack: y + stub });
    const rows = tracks > 0 ? stub + tracks + 1 : below + above;
    if (layer < heights.length - 1) y += Math.max(options.rows, rows);
  }
  return { channels, tops, height: y };
}

function routeEdge(
  { up, net, path }: PlacedEdge,
  ports: readonly Port[],
  tops: readonly number[],
  channels: readonly Channel[],
): Route {
  const first = path[0] as Item;
  const last = path.at(-1) as Item;
  const start = { x: ports[0]?.x ?? 0, y: (channels[first.layer]?.top ?? 0) - 1 };
  const end = { x: ports.at(-1)?.x ?? 0, y: tops[last.layer] ?? 0 };
  const points = [start];
  for (const [i, item] of path.slice(0, -1).entries()) {
    const channel = channels[item.layer];
    const track = channel?.nets.get(net)?.track;
    const next = ports[i + 1]?.x ?? 0;
    if (!channel || track === undefined || points.at(-1)?.x === next) continue;
    const y = channel.firstTrack + track;
    points.push({ x: points.at(-1)?.x ?? 0, y }, { x: next, y });
  }
  points.push(end);
  return up
    ? { points: points.reverse(), label: { x: end.x + 1, y: end.y - 1 }, net }
    : { points, label: { x: start.x + 1, y: start.y + 1 }, net };
}

/** The route of an edge from a box to itself, at the right side of the box. */
function loopRoute(edge: LayoutEdge, before: readonly LayoutEdge[], boxes: readonly Box[]): Route {
  const { x, y, width } = boxes[edge.from] as Box;
  const right = x + width - 1;
  const earlier = before.filter(({ from, to }) => from === edge.from && to === edge.to).length;
  return {
    points: [
      { x: right, y: y + 1 },
      { x: right + 2, y: y + 1 },
      { x: right + 2, y: y + 2 },
      { x: right, y: y + 2 },
    ],
    label: { x: right + 4, y: y + 1 + earlier },
    net: 2 * edge.to,
  };
}

/** The error for a picture that is too large to read. */
export function tooLargeToDraw(why: string): OkaError<RenderErrorCode> {
  return new OkaError(
    'graph.too_large_to_draw',
    `the graph is too large to draw: ${why}. Render it as mermaid or dot, which have no limit.`,
  );
}
