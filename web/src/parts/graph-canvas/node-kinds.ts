// Owns: what people call the types of nodes, and how they are grouped and coloured.
import { type GraphNode, isRecord } from './graph-document.ts';

export type NodeGroup = 'Act' | 'Decide' | 'Data' | 'Compose' | 'Flow';

interface NodeKind {
  readonly label: string;
  readonly group: NodeGroup;
  readonly tone: 'tool' | 'model' | 'decide' | 'data' | 'flow';
}

export const NODE_KINDS: Readonly<Record<string, NodeKind>> = {
  tool: { label: 'Tool', group: 'Act', tone: 'tool' },
  ai_template: { label: 'Model prompt', group: 'Act', tone: 'model' },
  agent: { label: 'Agent', group: 'Act', tone: 'model' },
  typed_condition: { label: 'Condition', group: 'Decide', tone: 'decide' },
  llm_condition: { label: 'Model choice', group: 'Decide', tone: 'decide' },
  approval: { label: 'Approval', group: 'Decide', tone: 'decide' },
  wait: { label: 'Wait', group: 'Decide', tone: 'decide' },
  transform: { label: 'Transform', group: 'Data', tone: 'data' },
  read_state: { label: 'Read state', group: 'Data', tone: 'data' },
  write_state: { label: 'Write state', group: 'Data', tone: 'data' },
  read_prior_runs: { label: 'Earlier runs', group: 'Data', tone: 'data' },
  map: { label: 'Map', group: 'Compose', tone: 'flow' },
  subgraph: { label: 'Graph', group: 'Compose', tone: 'flow' },
  start: { label: 'Start', group: 'Flow', tone: 'flow' },
  end: { label: 'End', group: 'Flow', tone: 'flow' },
};

export const kindOf = (type: string): NodeKind =>
  (Object.hasOwn(NODE_KINDS, type) && NODE_KINDS[type]) || { label: type, group: 'Flow', tone: 'flow' };

/** What a node does, in a few words from its fields. */
export function nodeSummary(node: GraphNode): string {
  const field = (name: string): string => short(node[name]);
  switch (node.type) {
    case 'tool':
      return `${field('tool')} ${firstArgument(node['args'])}`.trim();
    case 'ai_template':
      return field('prompt_template');
    case 'agent':
      return field('goal');
    case 'typed_condition':
      return `${field('left')} ${field('operator')} ${field('right')}`.trim();
    case 'llm_condition':
      return field('prompt');
    case 'approval':
      return field('question');
    case 'wait':
      return field('event') || field('until') || (field('seconds') && `${field('seconds')} s`);
    case 'transform':
      return field('expression');
    case 'read_state':
    case 'write_state':
      return field('key');
    case 'map':
      return `${field('graph')} for each of ${field('items')}`;
    case 'subgraph':
      return field('graph');
    default:
      return short(node['description']);
  }
}

const MAX_SHORT = 80;

function short(value: unknown): string {
  if (value === undefined) return '';
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ').trim();
  return text.length <= MAX_SHORT ? text : `${text.slice(0, MAX_SHORT)}…`;
}

function firstArgument(args: unknown): string {
  return short(isRecord(args) ? Object.values(args)[0] : args);
}
