// Owns: the list of what can run a program or send data without another question, from what was read. Pure.
import type { AgentFile, ApprovedItem } from '../../adapters/workspace/index.ts';
import type { ModelConfig, OkaConfig } from '../../config/index.ts';
import { digestOfJson, type Json } from '../../kernel/index.ts';
import type { Schedule } from '../../schedule/index.ts';
import type { OwnProgram, ServerLaunch } from '../../tools/index.ts';

type ActingKind =
  | 'hook'
  | 'model'
  | 'default_model'
  | 'agent'
  | 'graph'
  | 'mcp_server'
  | 'schedule'
  | 'program';

/** Something that acts without another question. Its digest covers everything that decides what it does. */
export interface ActingItem extends ApprovedItem {
  readonly kind: ActingKind;
}

/** Digests of workspace files by path. */
type FileDigests = Readonly<Record<string, string>>;
type Hook = OkaConfig['hooks'][number];

export interface FoundServer {
  readonly name: string;
  readonly launch: ServerLaunch;
}

/** A file that replaces a built-in agent, and the script of its model. */
export interface FoundAgent {
  readonly name: string;
  readonly text: string;
  readonly files: FileDigests;
}

/** What was read of a workspace. */
export interface FoundInWorkspace {
  readonly hooks: readonly Hook[];
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly defaultModel: string | undefined;
  /** The files that replace a built-in agent. */
  readonly agents: readonly FoundAgent[];
  /** The graphs that reach hosts or start programs, with everything that they consist of. */
  readonly graphs: readonly { readonly id: string; readonly content: Json }[];
  readonly servers: readonly FoundServer[];
  readonly schedules: readonly { readonly schedule: Schedule; readonly graph: Json }[];
  /** The programs in `.oka/tools/bin` that Oka did not install. */
  readonly programs: readonly OwnProgram[];
  /** Digests of the workspace files that a command names. */
  readonly filesOf: (command: readonly string[]) => FileDigests;
}

/** Longer texts are cut: the digest covers all of it. */
const MAX_TEXT_LENGTH = 16_384;
const SECRET_NAME = /(?:^|[-_])(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?|AUTHORIZATION|COOKIE)$/i;

/** Everything of a workspace that acts. */
export function listActingItems(found: FoundInWorkspace): readonly ActingItem[] {
  return [
    ...found.hooks.map((hook) => hookItem(hook, found.filesOf(hook.command))),
    ...Object.entries(found.models).flatMap(
      ([name, model]) => modelItem(name, model, found.filesOf(scriptOf(model))) ?? [],
    ),
    ...(found.defaultModel === undefined ? [] : [defaultModelItem(found.defaultModel)]),
    ...found.agents.map(agentItem),
    ...found.graphs.map(graphItem),
    ...found.servers.map((server) => serverItem(server, found.filesOf(commandOf(server.launch)))),
    ...found.schedules
      .filter(({ schedule }) => schedule.enabled)
      .map(({ schedule, graph }) => scheduleItem(schedule, graph)),
    ...found.programs.map(programItem),
  ];
}

/** A hook has no name of its own, so its place in the list does not matter. */
export function hookItem(hook: Hook, files: FileDigests): ActingItem {
  const name = `${hook.on}: ${hook.command.join(' ')}`;
  return makeItem('hook', name, { ...hook, ...withFiles(files) });
}

/** A model acts if it sends data to an address, or a key, that the project chooses, or if the project writes its answers. */
export function modelItem(name: string, model: ModelConfig, files: FileDigests): ActingItem | undefined {
  if (model.provider === 'scripted')
    return makeItem('model', name, { name, ...model, answers: 'decided by the script', ...withFiles(files) });
  if (model.baseUrl === undefined && model.apiKey === undefined) return undefined;
  const { from: _, price: __, ...content } = model;
  return makeItem('model', name, { name, ...content });
}

/** The file that decides what a scripted model answers. */
export function scriptOf(model: ModelConfig): readonly string[] {
  return model.provider === 'scripted' ? [model.script] : [];
}

/** The model that decides every call of a run that names none. */
export function defaultModelItem(model: string): ActingItem {
  return makeItem('default_model', model, { default_model: model });
}

/** What decides what the agent of a file does. */
export function readAgentItem(
  { name, content }: AgentFile,
  filesOf: FoundInWorkspace['filesOf'],
): FoundAgent {
  const script = 'fields' in content ? content.fields['script'] : undefined;
  return {
    name,
    text: JSON.stringify(content),
    files: typeof script === 'string' ? filesOf([script]) : {},
  };
}

export function agentItem({ name, text, files }: FoundAgent): ActingItem {
  return makeItem('agent', name, { name, text, ...withFiles(files) });
}

/** A graph that reaches hosts or starts programs, with the definitions of all graphs that it runs. */
function graphItem({ id, content }: { readonly id: string; readonly content: Json }): ActingItem {
  return makeItem('graph', id, { id, runs: content });
}

export function serverItem({ name, launch }: FoundServer, files: FileDigests): ActingItem {
  const content = { name, ...launch, ...withFiles(files) };
  const shown =
    launch.transport === 'http'
      ? { ...content, headers: withoutSecrets(launch.headers) }
      : { ...content, environment: withoutSecrets(launch.environment) };
  return makeItem('mcp_server', name, content, shown);
}

/** The words of a server's command that may name files. */
export function commandOf(launch: ServerLaunch): readonly string[] {
  return launch.transport === 'http' ? [] : [launch.command, ...launch.args];
}

/** A schedule with the definitions of all graphs that it runs. */
export function scheduleItem(schedule: Schedule, graph: Json): ActingItem {
  const { id, trigger, policies, input = null } = schedule;
  return makeItem('schedule', id, { id, graph: schedule.graph, ...trigger, policies, input, runs: graph });
}

/** A program that runs by its name. */
export function programItem(program: OwnProgram): ActingItem {
  return makeItem('program', program.name, program);
}

function makeItem(kind: ActingKind, name: string, content: object, shown: object = content): ActingItem {
  const text = JSON.stringify(shown, null, 2);
  return { kind, name, digest: digestOfJson({ kind, content }), text: text.slice(0, MAX_TEXT_LENGTH) };
}

function withFiles(files: FileDigests): { readonly files?: FileDigests } {
  return Object.keys(files).length === 0 ? {} : { files };
}

/** Values that look like secrets are neither stored nor shown; the digest covers them. */
function withoutSecrets(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    SECRET_NAME.test(name) && !value.includes('${') ? '(hidden)' : value,
  ]);
  return Object.fromEntries(shown);
}
