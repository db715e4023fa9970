import { createSuggester, didYouMean, isOkaError, nearestName, parsePath } from '../../kernel/index.ts';
import type { FieldPath, Finding } from '../node-type.ts';
import { nodeTypeOf } from '../node-types.ts';
import { isLeftOpen, pathsIn, textsIn } from '../template-values.ts';
import type { GraphNode, GuaranteeMode } from '../types.ts';
import { findUnknownInput } from './check-input-path.ts';
import type { Dominators } from './dominators.ts';
import type { Flow } from './flow.ts';
import { answerReach, type ReachQuery } from './reach.ts';
import type { ReadDefinition } from './read-definition.ts';

const ROOTS = ['input', 'last', 'vars', 'run'];
const RUN_FIELDS = ['id', 'origin_id', 'visit', 'firing_id'];

/** One mention of another node's output. */
interface Mention {
  readonly by: number;
  readonly of: number;
  readonly field: FieldPath;
  readonly text: string;
  /** Whether it is an error, in some modes, when the node has not run. */
  readonly needed: boolean;
}

/** Every template names something that is there, on every way that leads to it. */
export function checkReferences(
  read: ReadDefinition,
  flow: Flow,
  ways: Dominators | undefined,
  mode: GuaranteeMode,
): Finding[] {
  const findings: Finding[] = [];
  const mentions: Mention[] = [];
  const names = createSuggester([...flow.byId.keys(), ...ROOTS]);
  const nearest = (name: string): string | undefined => names.nearest(name);
  for (const { node, index } of read.nodes) {
    if (node === undefined) continue;
    for (const { field, path } of templatesOf(node, ['nodes', index], findings)) {
      const keys = keysOf(path, field, findings);
      if (keys === undefined) continue;
      const problem = checkRoot(keys, path, field, read, flow, nearest);
      if (problem !== undefined) findings.push(problem);
      const of = ROOTS.includes(keys[0] as string) ? undefined : flow.byId.get(keys[0] as string);
      if (of !== undefined) mentions.push({ by: index, of, field, text: `{{${path}}}`, needed: true });
    }
    for (const { field, id } of nodeTypeOf(node).references?.(node) ?? []) {
      const of = flow.byId.get(id);
      const place = ['nodes', index, ...field];
      if (of === undefined) findings.push(unknownReference(`$nodes.${id}`, place, flow.ids.nearest(id)));
      else mentions.push({ by: index, of, field: place, text: `$nodes.${id}`, needed: false });
    }
  }
  if (ways === undefined || flow.incomplete) return findings;
  return [...findings, ...checkOrder(mentions, read, flow, ways, mode)];
}

function* templatesOf(
  node: GraphNode,
  place: FieldPath,
  findings: Finding[],
): Generator<{ field: FieldPath; path: string }> {
  for (const { field, value } of nodeTypeOf(node).templates(node)) {
    for (const { field: inner, text } of textsIn(value, field)) {
      const whole = [...place, ...inner];
      for (const path of pathsIn(text)) yield { field: whole, path };
      if (isLeftOpen(text)) {
        findings.push({
          code: 'graph.invalid_template',
          field: whole,
          message: 'a template is opened with {{ and not closed; it stays as it is written.',
          suggestion: 'Close it with }}.',
          severity: 'warning',
        });
      }
    }
  }
}

function keysOf(path: string, field: FieldPath, findings: Finding[]): readonly string[] | undefined {
  try {
    return parsePath(path);
  } catch (error) {
    const refused = isOkaError(error, 'kernel.path_refused');
    findings.push({
      code: refused ? 'graph.refused_path' : 'graph.invalid_template',
      field,
      message: refused ? `"{{${path}}}" could reach a prototype.` : `"{{${path}}}" holds no path.`,
      suggestion: refused ? 'Choose another key.' : 'Write names joined by dots, as in {{input.name}}.',
    });
    return undefined;
  }
}

function checkRoot(
  keys: readonly string[],
  path: string,
  field: FieldPath,
  read: ReadDefinition,
  flow: Flow,
  nearest: (name: string) => string | undefined,
): Finding | undefined {
  const [root, key] = keys as [string, string | undefined];
  if (root === 'input') return findUnknownInput(read.settings.input_schema, keys.slice(1), field, path);
  if (root === 'run')
    return key === undefined || RUN_FIELDS.includes(key) ? undefined : unknownRunField(key, field);
  if (ROOTS.includes(root) || flow.byId.has(root)) return undefined;
  const meant = root === 'nodes' && key !== undefined && flow.byId.has(key) ? key : nearest(root);
  return unknownReference(`{{${path}}}`, field, meant);
}

function unknownReference(text: string, field: FieldPath, meant: string | undefined): Finding {
  return {
    code: 'graph.unknown_reference',
    field,
    message: `"${text}" names nothing that is there.`,
    suggestion: didYouMean(meant, `Begin with the id of a node, or with ${ROOTS.join(', ')}.`),
  };
}

function unknownRunField(key: string, field: FieldPath): Finding {
  return {
    code: 'graph.unknown_run_field',
    field,
    message: `run has no field "${key}".`,
    suggestion: didYouMean(nearestName(key, RUN_FIELDS), `It has ${RUN_FIELDS.join(', ')}.`),
  };
}

/** A node that is mentioned has run before, on every way. */
function checkOrder(
  mentions: readonly Mention[],
  { nodes }: ReadDefinition,
  flow: Flow,
  ways: Dominators,
  mode: GuaranteeMode,
): Finding[] {
  const doubtful = mentions.filter(
    ({ by, of }) => ways.isReachable(by) && !(by !== of && ways.passes(by, flow.done(of))),
  );
  const queries = doubtful.map(({ by, of }): ReachQuery => ({ from: flow.done(of), to: by }));
  const reachable = answerReach(flow.edges, queries);
  return doubtful.flatMap((mention, index) => {
    const id = nodes[mention.of]?.id ?? '';
    if (!reachable[index] || !ways.isReachable(flow.done(mention.of))) return [neverRunBefore(mention, id)];
    return mention.needed ? [maybeNotRun(mention, id, mode)] : [];
  });
}

function neverRunBefore({ field, text, by, of }: Mention, id: string): Finding {
  const message =
    by === of
      ? `"${text}" is the output of the node itself.`
      : `"${id}" cannot have run before "${text}" is needed.`;
  const suggestion = 'Name a node that runs before, or use {{last}}.';
  return { code: 'graph.never_run_before', field, message, suggestion };
}

function maybeNotRun({ field, text }: Mention, id: string, mode: GuaranteeMode): Finding {
  return {
    code: 'graph.maybe_not_run',
    field,
    message: `"${id}" has not run on every way that leads to "${text}".`,
    suggestion: 'Name a node that lies on every way, or use {{last}}.',
    severity: mode === 'strict' ? 'error' : 'warning',
  };
}
