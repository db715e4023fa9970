import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BRANCH,
  BROKEN,
  CHAIN,
  condition,
  FAN_OUT,
  graphOf,
  LOOP,
  LOOP_STATUSES,
  tool,
} from '../../../test/support/sample-graphs.ts';
import type { GraphDefinition, GraphNode } from '../types.ts';
import { columnsOf, plainText } from './label-text.ts';
import { pictureOf } from './picture.ts';
import { renderAscii } from './render-ascii.ts';
import { renderDot } from './render-dot.ts';
import { renderMermaid } from './render-mermaid.ts';
import { renderSvg } from './render-svg.ts';

/** Graphs of any shape, with any texts for names, that mostly make no sense. */
const anyGraph: fc.Arbitrary<GraphDefinition> = fc
  .uniqueArray(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('end', 'n1', '"]', 'a&amp;b', '\\n', '<b>')),
    {
      minLength: 1,
      maxLength: 9,
    },
  )
  .chain((ids) => {
    const id = fc.constantFrom(...ids, 'gone');
    const node = fc.oneof(
      fc.record({ type: fc.constantFrom('start', 'tool', 'agent', 'map', 'toString'), next: id }),
      fc.record({ type: fc.constant('tool'), tool: fc.string(), next: id, on_error: id }),
      fc.record({ type: fc.constant('typed_condition'), left: fc.string(), if_true: id, if_false: id }),
      fc.record({ type: fc.constant('llm_condition'), branch_targets: fc.dictionary(fc.string(), id) }),
      fc.record({ type: fc.constant('end') }),
    );
    return fc
      .tuple(...ids.map((name) => node.map((fields) => ({ node_id: name, ...fields }))))
      .map((nodes) => ({ ...CHAIN, name: ids.join(' '), nodes: nodes as unknown as GraphNode[] }));
  });

function chainOf(count: number): GraphDefinition {
  const nodes = Array.from({ length: count - 2 }, (_, i) => tool(`step_${i}`, `step_${i + 1}`));
  return graphOf('Long', ...nodes.slice(0, -1), tool(`step_${count - 3}`, 'end'));
}

const MERMAID_NODE =
  /^ {2}n\d+(?:\(\[|\[\(|\[\[|\(\(|\{\{|\[\/|[[({>])"([^"]*)"(?:\]\)|\)\]|\]\]|\)\)|\}\}|\/\]|\\\]|[\])}])(?::::\w+)?$/;
const MERMAID_EDGE = /^ {2}n(\d+) -\.?->(?:\|"([^"]*)"\|)? n(\d+)$/;
const DOT_NODE = /^ {2}n\d+ \[label="((?:[^"\\]|\\.)*)", shape=/;
const DOT_EDGE = /^ {2}n(\d+) -> n(\d+)(?: \[.*\])?$/;

function readMermaid(text: string): string {
  const read = text.replaceAll(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
  return read
    .replaceAll(/[\u200a\u200b]/g, '')
    .replaceAll('ˋ', '`')
    .trim();
}

function readDot(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1').replaceAll('&amp;', '&');
}

describe('renderMermaid and renderDot', () => {
  it('draw a graph with the statuses of a run', async () => {
    await expect(renderMermaid(LOOP, LOOP_STATUSES)).toMatchFileSnapshot('./golden/loop.mmd');
    await expect(renderDot(LOOP, LOOP_STATUSES)).toMatchFileSnapshot('./golden/loop.dot');
  });

  it('draw error edges dashed and unknown targets as missing', async () => {
    await expect(renderMermaid(BROKEN)).toMatchFileSnapshot('./golden/broken.mmd');
    expect(renderMermaid(BRANCH)).toContain('-.->|"error"|');
    expect(renderDot(BRANCH)).toContain('[label="error", style=dashed]');
    expect(renderDot(BROKEN)).toContain('label="nowhere\\nmissing", shape=box, style="dashed,filled"');
  });

  it('show every node and edge of any graph exactly once, with its name unchanged', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const { nodes, edges } = pictureOf(graph);
        const names = nodes.map(({ id }) => plainText(id));
        const joined = edges.map(({ from, to }) => `${from} ${to}`);
        const mermaid = renderMermaid(graph).split('\n');
        const shapes = mermaid.flatMap((line) => MERMAID_NODE.exec(line)?.slice(1, 2) ?? []);
        expect(shapes.map((label) => readMermaid(label.split('<br/>')[0] ?? ''))).toEqual(
          names.map((name) => name.replaceAll('`', 'ˋ')),
        );
        const arrows = mermaid.flatMap((line) => {
          const found = MERMAID_EDGE.exec(line);
          return found ? [`${found[1]} ${found[3]}`] : [];
        });
        expect(arrows).toEqual(joined);
        const dot = renderDot(graph).split('\n');
        const labels = dot.flatMap((line) => DOT_NODE.exec(line)?.slice(1, 2) ?? []);
        expect(labels.map((label) => readDot(firstLine(label)))).toEqual(names);
        const lines = dot.flatMap((line) => {
          const found = DOT_EDGE.exec(line);
          return found ? [`${found[1]} ${found[2]}`] : [];
        });
        expect(lines).toEqual(joined);
      }),
    );
  });

  it('escape text that could be parsed as syntax', () => {
    const hostile = [
      'end',
      '"]; click n0 "x"',
      'a\n  n0 --> n1',
      '%%{init: {}}%%',
      '`md`',
      '#quot;',
      '<script>',
      'direction LR',
      '1. list',
      '- list',
      '_em_',
      '\u200b',
      'style x:#1;',
    ];
    const graph = graphOf('---\n"', ...hostile.map((id) => tool(id, 'end', { tool: id })));
    const lines = renderMermaid(graph).split('\n').slice(4, -1);
    expect(
      lines.every(
        (line) => MERMAID_NODE.test(line) || MERMAID_EDGE.test(line) || line.startsWith('  classDef'),
      ),
    ).toBe(true);
    expect(lines.join('\n')).not.toMatch(/<(?!br\/>)|`|%|#[^\d]|""|direction |(?:"|<br\/>)[-\d_]/);
  });

  it('draw ten thousand nodes', () => {
    const graph = chainOf(10_000);
    expect(renderMermaid(graph).match(/-->/g)).toHaveLength(9_999);
    expect(renderDot(graph).match(/->/g)).toHaveLength(9_999);
  });

  it('keep the order of the definition', () => {
    const shuffled = { ...CHAIN, nodes: [...CHAIN.nodes].reverse() };
    expect(renderMermaid(shuffled)).toContain('n0(["end"])');
    expect(renderMermaid(shuffled)).toBe(renderMermaid(structuredClone(shuffled)));
  });
});

describe('renderAscii', () => {
  it.each([
    ['chain', CHAIN],
    ['branch', BRANCH],
    ['fan-out', FAN_OUT],
    ['broken', BROKEN],
  ] as const)('draws a %s', async (name, graph) => {
    await expect(renderAscii(graph)).toMatchFileSnapshot(`./golden/${name}.txt`);
  });

  it('draws a loop back with the statuses of a run, also in plain characters', async () => {
    await expect(renderAscii(LOOP, LOOP_STATUSES)).toMatchFileSnapshot('./golden/loop.txt');
    const plain = renderAscii(LOOP, LOOP_STATUSES, { ascii: true });
    await expect(plain).toMatchFileSnapshot('./golden/loop-plain.txt');
    expect(plain).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it('names every node of any graph and keeps to the width', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const drawn = renderAscii(graph, undefined, { width: 1_000 });
        for (const line of drawn.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(1_000);
        expect(drawn.match(/[╭┌]/g)?.length).toBeGreaterThanOrEqual(pictureOf(graph).nodes.length);
        expect(drawn.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
  });

  it('keeps frames straight around wide characters', () => {
    const drawn = renderAscii(graphOf('Wide', tool('日本語', 'end', { tool: '🙂é' })));
    const rows = drawn.split('\n').filter((line) => /日本語|🙂|┌──/u.test(line));
    expect(new Set(rows.map(columnsOf)).size).toBe(1);
  });

  it('colours the mark and name of a node, and only that', () => {
    const colour = (text: string, status: string): string => (status === 'failed' ? `<${text}>` : text);
    const drawn = renderAscii(LOOP, LOOP_STATUSES, { colour });
    expect(drawn.replace(/<(.*)>/u, '$1')).toBe(renderAscii(LOOP, LOOP_STATUSES));
    expect(drawn).toContain('│ <✗ ×2 pause> │');
  });

  it('shortens texts before it gives up on the width', () => {
    const wide = graphOf('Wide', ...['a', 'b'].map((id) => tool(id.repeat(28), 'end')));
    expect(renderAscii(wide, undefined, { width: 50 })).toContain('aaaaaaaaaaaaaaaaa…');
    expect(() => renderAscii(FAN_OUT, undefined, { width: 40 })).toThrowError(
      expect.objectContaining({
        code: 'graph.too_large_to_draw',
        message: expect.stringContaining('mermaid'),
      }),
    );
  });

  it('refuses more nodes than text can show', () => {
    expect(renderAscii(chainOf(60))).toContain('step_57');
    expect(() => renderAscii(chainOf(61))).toThrowError(/61 nodes/);
  });
});

describe('renderSvg', () => {
  it('draws a picture with the statuses of a run', async () => {
    await expect(renderSvg(LOOP, LOOP_STATUSES)).toMatchFileSnapshot('./golden/loop.svg');
  });

  it('is well-formed and has no scripts, for any text', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const svg = renderSvg(graph);
        expect(unclosedTags(svg)).toEqual([]);
        expect(svg).not.toMatch(/<script|\son\w+=|&(?!amp;|lt;|gt;|quot;|#39;)/);
        expect(svg.match(/<g class="node /g)).toHaveLength(pictureOf(graph).nodes.length);
        expect(svg.match(/<path class="edge /g)?.length ?? 0).toBe(pictureOf(graph).edges.length);
      }),
    );
  });

  it('describes the picture for screen readers', () => {
    const svg = renderSvg(LOOP, LOOP_STATUSES);
    expect(svg).toContain('<title>Look until it is there</title>');
    expect(svg).toContain('<desc>A graph of 5 nodes and 5 edges. Run run-1 is running.</desc>');
    expect(svg).toContain('<title>pause: wait 30 s: failed</title>');
  });

  it('refuses more nodes than a picture can show', () => {
    expect(renderSvg(chainOf(500))).toContain('step_497');
    expect(() => renderSvg(chainOf(501))).toThrowError(/501 nodes.*mermaid or dot/);
  });
});

describe('renderSvg of a tangled graph', () => {
  it('refuses edges with too many bends', () => {
    const ids = Array.from({ length: 400 }, (_, i) => `n${i}`);
    const nodes = ids.map((id, i) => condition(id, ids[i + 1] ?? 'end', ids[(i * 197) % 400] ?? 'end'));
    expect(() => renderSvg(graphOf('Tangle', ...nodes))).toThrowError(/bends.*mermaid or dot/);
  });
});

describe('all renderers', () => {
  const draw = [renderMermaid, renderDot, renderAscii, renderSvg] as const;

  it.each([null, [], 'x', {}, { nodes: 1 }, { nodes: [null, 1, { node_id: 5, next: 'a' }] }])(
    'draw the readable part of %j',
    (broken) => {
      for (const render of draw)
        expect(render(broken as unknown as GraphDefinition)).toEqual(expect.any(String));
    },
  );
});

/** The part before the first line break that the label itself writes. */
function firstLine(label: string): string {
  return label.split(/(?<!\\)(?:\\\\)*\\n/)[0] ?? '';
}

function unclosedTags(xml: string): string[] {
  const open: string[] = [];
  for (const [, closing, name, own] of xml.matchAll(/<(\/?)([a-z]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (own) continue;
    if (!closing) open.push(name as string);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  return xml.replaceAll(/<[^<>]*>/g, '').includes('<') ? ['<'] : open;
}
