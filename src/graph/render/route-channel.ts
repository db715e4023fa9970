/** Where an edge meets a box or a bend. A box's ports may move between `least` and `most`. */
export interface Port {
  x: number;
  readonly least: number;
  readonly most: number;
}

/** What leads to one node, in the room between two layers: the columns it comes from and goes to. */
export interface Net {
  readonly upper: Set<Port>;
  readonly lower: Set<Port>;
  /** The row of its level line, from 0; undefined when it goes straight down. */
  track?: number;
}

const SMALL_STEP = 2;

/**
 * Gives each net of a channel a row, so that no two lie on each other: lines cross, and never run along each other.
 * Answers how many rows that takes.
 */
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
  // Of lines that go the same way the outer ones lie above the inner ones; then they do not cross.
  spans.sort((a, b) => Number(b.leftwards) - Number(a.leftwards) || a.wish - b.wish);
  const placed: { from: number; to: number; track: number }[] = [];
  for (const { net, from, to } of spans) {
    const beside = placed.filter((other) => other.from <= to + 1 && other.to >= from - 1);
    net.track = beside.reduce((row, { track }) => Math.max(row, track + 1), 0);
    placed.push({ from, to, track: net.track });
  }
  return placed.reduce((rows, { track }) => Math.max(rows, track + 1), 0);
}

/** A line that would go aside by a column or two goes straight instead, where its lower port can move. */
function straighten(nets: readonly Net[]): void {
  const taken = nets.flatMap((net) => [...net.lower]);
  for (const { upper, lower } of nets) {
    const [from, to] = [[...upper][0], [...lower][0]];
    if (!from || !to || upper.size > 1 || lower.size > 1) continue;
    const near = Math.abs(from.x - to.x) <= SMALL_STEP && from.x >= to.least && from.x <= to.most;
    const free = taken.every((port) => port === to || Math.abs(port.x - from.x) > 1);
    if (near && free) to.x = from.x;
  }
}

/** Moves ports of the lower layer out of columns in which another net comes down. */
function keepApart(nets: readonly Net[]): void {
  const coming = new Map<number, Net>();
  for (const net of nets) for (const { x } of net.upper) coming.set(x, net);
  const taken = new Set(nets.flatMap((net) => [...net.lower].map(({ x }) => x)));
  for (const net of nets) {
    for (const port of net.lower) {
      if ((coming.get(port.x) ?? net) === net) continue;
      const free = (x: number): boolean =>
        x >= port.least && x <= port.most && !taken.has(x) && (coming.get(x) ?? net) === net;
      const steps = Array.from({ length: port.most - port.least }, (_, i) => i + 1);
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
