/** The point of an edge at a box or a bend. A box's ports may move between `min` and `max`. */
export interface Port {
  x: number;
  readonly min: number;
  readonly max: number;
}

/** The edges to one node, between two layers: the columns of their upper and lower ports. */
export interface Net {
  readonly upper: Set<Port>;
  readonly lower: Set<Port>;
  /** The row of its horizontal line, from 0; undefined for a straight line. */
  track?: number;
}

const SMALL_STEP = 2;

/** Assigns a row to each net of a channel so that lines cross but never overlap. Returns the number of rows. */
export function routeChannel(nets: readonly Net[]): number {
  straighten(nets);
  keepApart(nets);
  const spans = nets.flatMap((net) => {
    const columns = [...net.upper, ...net.lower].map(({ x }) => x);
    const from = Math.min(...columns);
    const to = Math.max(...columns);
    if (from === to) return [];
    const below = mean(net.lower);
    const leftwards = below < mean(net.upper);
    return [{ net, from, to, leftwards, wish: leftwards ? below : -below }];
  });
  // Of lines in the same direction the outer ones are above the inner ones, so that they do not cross.
  spans.sort((a, b) => Number(b.leftwards) - Number(a.leftwards) || a.wish - b.wish);
  const placed: { from: number; to: number; track: number }[] = [];
  for (const { net, from, to } of spans) {
    const near = placed.filter((other) => other.from <= to + 1 && other.to >= from - 1);
    net.track = near.reduce((row, { track }) => Math.max(row, track + 1), 0);
    placed.push({ from, to, track: net.track });
  }
  return placed.reduce((rows, { track }) => Math.max(rows, track + 1), 0);
}

/** Straightens a line with an offset of a column or two, where its lower port can move. */
function straighten(nets: readonly Net[]): void {
  const taken = nets.flatMap((net) => [...net.lower]);
  for (const { upper, lower } of nets) {
    const [from, to] = [[...upper][0], [...lower][0]];
    if (!from || !to || upper.size > 1 || lower.size > 1) continue;
    const near = Math.abs(from.x - to.x) <= SMALL_STEP && from.x >= to.min && from.x <= to.max;
    const free = taken.every((port) => port === to || Math.abs(port.x - from.x) > 1);
    if (near && free) to.x = from.x;
  }
}

/** Moves ports of the lower layer out of columns that another net uses. */
function keepApart(nets: readonly Net[]): void {
  const coming = new Map<number, Net>();
  for (const net of nets) for (const { x } of net.upper) coming.set(x, net);
  const taken = new Set(nets.flatMap((net) => [...net.lower].map(({ x }) => x)));
  for (const net of nets) {
    for (const port of net.lower) {
      if ((coming.get(port.x) ?? net) === net) continue;
      const free = (x: number): boolean =>
        x >= port.min && x <= port.max && !taken.has(x) && (coming.get(x) ?? net) === net;
      const steps = Array.from({ length: port.max - port.min }, (_, i) => i + 1);
      const step = steps.flatMap((by) => [by, -by]).find((by) => free(port.x + by));
      if (step === undefined) continue;
      taken.delete(port.x);
      port.x += step;
      taken.add(port.x);
    }
  }
}

function mean(ports: ReadonlySet<Port>): number {
  let sum = 0;
  for (const { x } of ports) sum += x;
  return sum / ports.size;
}
