// Where the nodes of a lineage graph go. Time goes down, as in the diagram: layers by tick, and within
// a tick by how many rules stand before. Edges that pass layers get a place in each (a bend), shared by
// all edges from the same node. Within a layer, nodes are ordered by the mean place of their neighbours
// (barycentre), up and down a few times, then moved as near to it as their widths allow.
//
//   layoutLineage(nodes) -> { layers, edges, width, height }, and x, y, width, height in every node

const LINEAGE = {
  gap: 14,
  bend: 10,
  goalHeight: 26,
  ruleHeight: 20,
  between: 20,
  tickGap: 16,
  letter: 6.7,
  most: 40,
  sweeps: 16,
};

function sizeNode(node) {
  const letters = (text) => Array.from(text).length;
  node.label = labelOfNode(node);
  node.second = node.kind === "goal" ? secondLine(node) : "";
  node.width =
    node.kind === "rule"
      ? letters(node.label) * 5.9 + 18
      : Math.max(letters(node.label) * LINEAGE.letter, letters(node.second) * 5.4) + 20;
  node.height = node.kind === "rule" ? LINEAGE.ruleHeight : LINEAGE.goalHeight;
  if (node.second) node.height += 13;
}

// What a fact's box says below the fact.
function secondLine(node) {
  return [
    node.last > node.first && `persists, ${tickRange(node.first, node.last)}`,
    node.dropped > 0 && `derived ${node.dropped} more times`,
    node.hidden > 0 && `+${node.hidden} folded`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function labelOfNode(node) {
  const cut = node.status === "cut" ? "✂ " : node.status === "new" ? "+ " : "";
  if (node.kind === "absence") return `⊘ ${cut}no ${shorten(node.text, LINEAGE.most)}`;
  return cut + (node.kind === "rule" ? node.name : shorten(node.text, LINEAGE.most));
}

function layoutLineage(nodes) {
  nodes.forEach(sizeNode);
  const visible = new Set(nodes);
  const layers = layersOf(nodes, visible);
  const edges = connect(nodes, visible, layers);
  order(layers);
  const height = stack(layers);
  const left = smallest(
    layers.flatMap((layer) => layer.nodes.map((node) => node.x - node.width / 2)),
    Infinity,
  );
  for (const layer of layers) for (const node of layer.nodes) node.x += 64 - left;
  const right = largest(
    layers.flatMap((layer) => layer.nodes.map((node) => node.x + node.width / 2)),
    -Infinity,
  );
  return { layers, edges, width: right + 24, height };
}

// How many layers of its own tick a node has before it; a circle through folded ticks counts as 0.
function depthsOf(nodes, visible) {
  const depths = new Map();
  const depth = (node) => {
    if (depths.has(node)) return depths.get(node);
    depths.set(node, 0);
    const before = inputsOf(node).filter(
      (input) => visible.has(input) && input.first === node.first,
    );
    depths.set(
      node,
      before.reduce((most, input) => Math.max(most, depth(input) + 1), 0),
    );
    return depths.get(node);
  };
  nodes.forEach(depth);
  return depths;
}

function layersOf(nodes, visible) {
  const depths = depthsOf(nodes, visible);
  const byPlace = new Map();
  for (const node of nodes) pushTo(byPlace, node.first * 10000 + depths.get(node), node);
  const layers = [...byPlace]
    .sort(([one], [other]) => one - other)
    .map(([place, members]) => ({ tick: Math.floor(place / 10000), nodes: members }));
  layers.forEach((layer, i) =>
    layer.nodes.forEach((node) =>
      Object.assign(node, { layer: i, above: [], below: [], x: undefined }),
    ),
  );
  return layers;
}

function link(upper, lower) {
  upper.below.push(lower);
  lower.above.push(upper);
}

// Edges as chains of nodes and bends, from the input down to what rests on it.
function connect(nodes, visible, layers) {
  const edges = [];
  const bends = new Map();
  for (const node of nodes) {
    for (const input of inputsOf(node)) {
      if (!visible.has(input)) continue;
      const chain = [input];
      for (let layer = input.layer + 1; layer < node.layer; layer += 1) {
        chain.push(bendAt(bends, input, layer, chain[chain.length - 1], layers));
      }
      if (node.layer > input.layer) link(chain[chain.length - 1], node);
      edges.push({ from: input, to: node, chain: [...chain, node] });
    }
  }
  return edges;
}

function bendAt(bends, source, layer, upper, layers) {
  const key = `${layer} ${source.key}`;
  if (!bends.has(key)) {
    const bend = { kind: "bend", key, layer, width: LINEAGE.bend, height: 0, above: [], below: [] };
    bends.set(key, bend);
    layers[layer].nodes.push(bend);
    link(upper, bend);
  }
  return bends.get(key);
}

function order(layers) {
  for (const layer of layers) {
    let x = 0;
    for (const node of layer.nodes) {
      node.x = x + node.width / 2;
      x += node.width + LINEAGE.gap;
    }
    for (const node of layer.nodes) node.x -= x / 2;
  }
  for (let sweep = 0; sweep < LINEAGE.sweeps; sweep += 1) {
    const last = sweep >= LINEAGE.sweeps - 4;
    const down = sweep % 2 === 1;
    for (const layer of down ? layers : [...layers].reverse()) {
      const wish = (node) =>
        mean(last ? [...node.above, ...node.below] : down ? node.above : node.below, node.x);
      settle(layer, new Map(layer.nodes.map((node) => [node, wish(node)])), !last);
    }
  }
}

function mean(neighbours, otherwise) {
  return neighbours.length === 0
    ? otherwise
    : neighbours.reduce((sum, node) => sum + node.x, 0) / neighbours.length;
}

// Puts every node as near as possible to where it wishes to be, without overlaps: neighbours that would
// overlap form a block, which stands at the mean of its members' wishes.
function settle(layer, wishes, reorder) {
  if (reorder) layer.nodes.sort((one, other) => wishes.get(one) - wishes.get(other));
  const blocks = [];
  let offset = 0;
  layer.nodes.forEach((node, i) => {
    const before = layer.nodes[i - 1];
    if (before) offset += (before.width + node.width) / 2 + LINEAGE.gap;
    let block = { sum: wishes.get(node) - offset, count: 1, members: [[node, offset]] };
    while (
      blocks.length > 0 &&
      blocks[blocks.length - 1].sum / blocks[blocks.length - 1].count > block.sum / block.count
    ) {
      const left = blocks.pop();
      block = {
        sum: left.sum + block.sum,
        count: left.count + block.count,
        members: [...left.members, ...block.members],
      };
    }
    blocks.push(block);
  });
  for (const { sum, count, members } of blocks)
    for (const [node, place] of members) node.x = sum / count + place;
}

function stack(layers) {
  let y = 16;
  layers.forEach((layer, i) => {
    if (i > 0 && layers[i - 1].tick !== layer.tick) y += LINEAGE.tickGap;
    const height = largest(
      layer.nodes.map((node) => node.height),
      LINEAGE.ruleHeight,
    );
    layer.top = y;
    layer.bottom = y + height;
    for (const node of layer.nodes) node.y = y + height / 2;
    y += height + LINEAGE.between;
  });
  return y;
}

// A curve that leaves and arrives vertically, and passes its bends in the direction of its neighbours.
function curveThrough(chain) {
  const last = chain.length - 1;
  const points = chain.map((node, i) => {
    const half = node.height / 2;
    return [node.x, i === 0 ? node.y + half : i === last ? node.y - half : node.y];
  });
  const lean = (i) => {
    if (i === 0 || i === last) return 0;
    const [[x1, y1], [x2, y2]] = [points[i - 1], points[i + 1]];
    return (x2 - x1) / (y2 - y1);
  };
  return points.slice(1).reduce(
    (path, [x, y], i) => {
      const [px, py] = points[i];
      const reach = (y - py) * (last === 1 ? 0.5 : 0.4);
      const controls = [px + lean(i) * reach, py + reach, x - lean(i + 1) * reach, y - reach];
      return `${path}C${[...controls, x, y].map(round).join(" ")}`;
    },
    `M${points[0].map(round).join(" ")}`,
  );
}

// Back up from a later tick to a folded fact that already held before: out at the side, with a head.
function curveBack(from, to) {
  const side = from.x >= to.x ? 1 : -1;
  const [x1, x2] = [from.x + (side * from.width) / 2, to.x + (side * to.width) / 2];
  const out = side > 0 ? Math.max(x1, x2) + 30 : Math.min(x1, x2) - 30;
  const head = `M${round(x2)} ${round(to.y)}l${side * 7} -3.5l0 7Z`;
  return `M${round(x1)} ${round(from.y)}C${round(out)} ${round(from.y)} ${round(out)} ${round(to.y)} ${round(x2)} ${round(to.y)}${head}`;
}

function round(number) {
  return Math.round(number * 10) / 10;
}
