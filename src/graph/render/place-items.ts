/** A box or a bend of a long edge, in its layer. `x` is the column of its centre. */
export interface Item {
  readonly layer: number;
  /** The width of the box itself, and with its margins. */
  readonly box: number;
  readonly width: number;
  /** The connected items in the layer above and below. */
  readonly above: Item[];
  readonly below: Item[];
  order: number;
  x: number;
}

const ORDER_SWEEPS = 8;
const PLACE_SWEEPS = 6;

/** Orders the items of each layer so that few edges cross, and assigns their columns. No two overlap. */
export function placeItems(layers: Item[][], gap: number): void {
  for (let sweep = 0; sweep < ORDER_SWEEPS; sweep++) inTurn(layers, sweep % 2 === 0, orderLayer);
  const place = (layer: readonly Item[], wishOf: (item: Item) => number): void =>
    spread(layer, layer.map(wishOf), gap);
  const pull = (layer: readonly Item[], neighbours: (item: Item) => readonly Item[]): void =>
    place(layer, (item) => meanX(neighbours(item)) ?? item.x);
  for (const layer of layers) place(layer, () => 0);
  for (let sweep = 0; sweep < PLACE_SWEEPS; sweep++) inTurn(layers, sweep % 2 === 0, pull);
  const settled = layers.map((layer) => layer.map((item) => meanX([...item.above, ...item.below]) ?? item.x));
  for (const [i, layer] of layers.entries()) if (layer.length > 1) spread(layer, settled[i] ?? [], gap);
  inTurn(layers, true, pull);
}

/** Visits the layers downwards with the items above as neighbours, or upwards with the items below. */
function inTurn(
  layers: readonly Item[][],
  down: boolean,
  visit: (layer: Item[], neighbours: (item: Item) => readonly Item[]) => void,
): void {
  for (const layer of down ? layers : [...layers].reverse())
    visit(layer, (item) => (down ? item.above : item.below));
}

function orderLayer(layer: Item[], neighbours: (item: Item) => readonly Item[]): void {
  const wish = new Map(
    layer.map((item) => {
      const near = neighbours(item);
      const mean = near.reduce((sum, { order }) => sum + order, 0) / near.length;
      return [item, near.length === 0 ? item.order : mean];
    }),
  );
  layer.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a.order - b.order);
  // Orders are shares of the layer, so that layers of different size compare.
  for (const [i, item] of layer.entries()) item.order = (i + 0.5) / layer.length;
}

function meanX(items: readonly Item[]): number | undefined {
  return items.length === 0 ? undefined : items.reduce((sum, { x }) => sum + x, 0) / items.length;
}

/**
 * Places the items of a layer as near to their wishes as their order and widths allow: neighbours with the same wish form
 * a block at the mean of their wishes.
 */
function spread(layer: readonly Item[], wishes: readonly number[], gap: number): void {
  const offsets: number[] = [];
  for (const [i, item] of layer.entries()) {
    const before = layer[i - 1];
    offsets.push(before ? (offsets[i - 1] ?? 0) + before.width - leftHalf(before) + leftHalf(item) + gap : 0);
  }
  const blocks: { mean: number; size: number }[] = [];
  for (const [i, wish] of wishes.entries()) {
    let block = { mean: wish - (offsets[i] ?? 0), size: 1 };
    for (let last = blocks.at(-1); last && last.mean >= block.mean; last = blocks.at(-1)) {
      const size = last.size + block.size;
      block = { mean: (last.mean * last.size + block.mean * block.size) / size, size };
      blocks.pop();
    }
    blocks.push(block);
  }
  const places = blocks.flatMap(({ mean, size }) => Array.from({ length: size }, () => Math.round(mean)));
  for (const [i, item] of layer.entries()) item.x = (places[i] ?? 0) + (offsets[i] ?? 0);
}

/** The first column of an item. */
export function leftOf(item: Item): number {
  return item.x - leftHalf(item);
}

function leftHalf({ width }: Item): number {
  return Math.floor(width / 2);
}
