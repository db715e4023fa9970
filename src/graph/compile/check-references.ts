import {
  createSuggester,
  didYouMean,
  isOkaError,
  type Json,
  type JsonObject,
  nearestName,
  parsePath,
  type Suggester,
} from '../../kernel/index.ts';
import { isJsonObject } from '../json-value.ts';
import type { FieldPath, Finding } from '../node-type.ts';
import { nodeTypeOf } from '../node-types.ts';
import { hasUnclosedTemplate, pathsIn, textsIn } from '../template-values.ts';
import type { GraphNode, GuaranteeMode } from '../types.ts';
import type { Dominators } from './dominators.ts';
import type { Flow } from './flow.ts';
import { answerReach, type ReachQuery } from './reach.ts';
import type { ReadDefinition } from './read-definition.ts';

const ROOTS = ['input', 'last', 'vars', 'run'];
const RUN_FIELDS = ['id', 'origin_id', 'visit', 'firing_id'];

/** A reference to another node's output. */
interface Mention {
  readonly by: number;
  readonly of: number;
  readonly field: FieldPath;
  readonly text: string;
  /** Whether a missing output is an error in some modes. */
  readonly needed: boolean;
}

/** Every template must name something that exists on every path that leads to it. */
export function checkReferences(
  read: ReadDefinition,
  flow: Flow,
  ways: Dominators | undefined,
  mode: GuaranteeMode,
): Finding[] {
  const findings: Finding[] = [];
  const mentions: Mention[] = [];
  const names = createSuggester([...flow.byId.keys(), ...ROOTS]);
  for (const { node, index } of read.nodes) {
    if (node === undefined) continue;
    for (const { field, path } of templatesOf(node, ['nodes', index], findings)) {
      const keys = keysOf(path, field, findings);
      if (keys === undefined) continue;
      const problem = checkRoot(keys, path, field, read, flow, names);
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
      if (hasUnclosedTemplate(text)) {
        findings.push({
          code: 'graph.invalid_template',
          field: whole,
          message: 'a template is opened with {{ and not closed; it stays literal text.',
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
      message: refused ? `"{{${path}}}" could reach a prototype.` : `"{{${path}}}" is not a path.`,
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
  names: Suggester,
): Finding | undefined {
  const [root, key] = keys as [string, string | undefined];
  if (root === 'input') return findUnknownInput(read.settings.input_schema, keys.slice(1), field, path);
  if (root === 'run')
    return key === undefined || RUN_FIELDS.includes(key) ? undefined : unknownRunField(key, field);
  if (ROOTS.includes(root) || flow.byId.has(root)) return undefined;
  const meant = root === 'nodes' && key !== undefined && flow.byId.has(key) ? key : names.nearest(root);
  return unknownReference(`{{${path}}}`, field, meant);
}

function unknownReference(text: string, field: FieldPath, meant: string | undefined): Finding {
  return {
    code: 'graph.unknown_reference',
    field,
    message: `"${text}" names nothing that exists.`,
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

/** Finds a part of the input that the graph's input schema does not allow. */
function findUnknownInput(
  schema: JsonObject | undefined,
  keys: readonly string[],
  field: FieldPath,
  path: string,
): Finding | undefined {
  let at: Json | undefined = schema;
  for (const key of keys) {
    if (!isJsonObject(at)) return undefined;
    const properties: Json | undefined = at['properties'];
    const known: JsonObject = isJsonObject(properties) ? properties : {};
    if (Object.hasOwn(known, key)) {
      at = known[key];
      continue;
    }
    if (at['type'] === 'array' || at['items'] !== undefined) {
      at = at['items'];
      continue;
    }
    if (at['additionalProperties'] !== false || at['patternProperties'] !== undefined) return undefined;
    return {
      code: 'graph.unknown_input',
      field,
      message: `"{{${path}}}": input_schema allows no "${key}" there.`,
      suggestion: didYouMean(
        nearestName(key, Object.keys(known)),
        'Add it to input_schema, or name another.',
      ),
    };
  }
  return undefined;
}

/** A mentioned node must have run before, on every path. */
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
    message: `"${id}" does not run on every path that leads to "${text}".`,
    suggestion: 'Name a node that is on every path, or use {{last}}.',
    severity: mode === 'strict' ? 'error' : 'warning',
  };
}
