// Owns: what a workspace's runs find around them: models, tools of others, secrets, policy, skills, agents. Each is opened
// when it is first asked for. Does not own: the ledger and the engine.
import { join } from 'node:path';
import { PinnedHttp } from '../../adapters/http/index.ts';
import { toolEnvironment, toolFolders, WorkspaceInstaller } from '../../adapters/installs/index.ts';
import { WorkspaceProcesses } from '../../adapters/processes/index.ts';
import type { UserFolder, WorkspaceFolder } from '../../adapters/workspace/index.ts';
import {
  daemonSocket,
  loadConfig,
  machineEnvironment,
  type OkaConfig,
  providerEnvironment,
} from '../../config/index.ts';
import type { Capabilities, CredentialUse, Policy, Tool } from '../../engine/index.ts';
import type { Clock, Ids, Random, Redactor } from '../../kernel/index.ts';
import { type Files, MissingDependencies, withInstalls } from '../../tools/index.ts';
import { AgentModelDirectory } from '../agents/agent-models.ts';
import { AgentRuns, type AgentRunsParts } from '../agents/agent-runs.ts';
import type { Agents } from '../agents/agents.ts';
import type { Skills } from '../agents/skills.ts';
import { recallConversation } from '../chat/conversation-recall.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { ConfiguredServers } from '../mcp/mcp-servers.ts';
import { loadPolicy } from '../policy/policies.ts';
import type { VaultFace } from '../vault/vault.ts';

export interface SurroundingsParts {
  readonly folder: WorkspaceFolder;
  readonly user: UserFolder;
  /** The person's own folder. */
  readonly home: string;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly owner: string;
  readonly redactor: Redactor;
  /** Learns what could not be done and can be done without. */
  readonly onTrouble?: (what: string) => void;
  /** For looking. */
  readonly ledger: () => OpenLedger;
  /** For changing; refuses where the workspace is not trusted. */
  readonly writable: () => Promise<OpenLedger>;
  /** Throws unless the person trusts the workspace. */
  readonly requireTrust: () => void;
  /** What is known that fits a run's goal. */
  readonly pack: NonNullable<AgentRunsParts['pack']>;
}

export class Surroundings {
  readonly #parts: SurroundingsParts;
  readonly #environment = providerEnvironment();
  #mcp: Promise<ConfiguredServers> | undefined;
  #vault: Promise<VaultFace> | undefined;
  #skills: Promise<Skills> | undefined;
  #agents: Promise<Agents> | undefined;

  constructor(parts: SurroundingsParts) {
    this.#parts = parts;
  }

  isTrusted = (): boolean => {
    const { folder, user } = this.#parts;
    return folder.exists && user.isTrusted(folder.workspace);
  };

  /** The configuration in force; the workspace's own part only where the person trusts it. */
  config(): Promise<OkaConfig> {
    const { home, folder } = this.#parts;
    const project = this.isTrusted() ? { project: folder.config } : {};
    return loadConfig({ user: join(home, 'config.json'), ...project });
  }

  /** The policy in force, which follows its files. */
  policy(): Promise<Policy> {
    const { folder, home } = this.#parts;
    return loadPolicy({ workspaceFolder: folder.workspace, home, trusted: this.isTrusted() });
  }

  /** Tools beside the built-in ones, as far as the person has let them in. Starts nothing. */
  async moreTools(): Promise<readonly Tool[]> {
    return this.isTrusted() ? (await this.mcp()).tools() : [];
  }

  /** Every tool that runs of this workspace can call. */
  async tools(): Promise<readonly Tool[]> {
    const { behaviour } = await import('./behaviour.ts');
    return behaviour({ moreTools: await this.moreTools() }).tools;
  }

  mcp(): Promise<ConfiguredServers> {
    this.#mcp ??= import('../mcp/mcp-servers.ts').then(({ ConfiguredServers }) => {
      const { folder, home, version, clock, requireTrust } = this.#parts;
      return new ConfiguredServers({
        workspace: folder.workspace,
        home,
        version,
        clock,
        requireTrust,
        redactor: this.#parts.redactor,
        environment: this.#environment.get,
        secret: this.#secret,
      });
    });
    return this.#mcp;
  }

  vault(): Promise<VaultFace> {
    this.#vault ??= import('../vault/vault.ts').then(({ VaultFace }) => {
      const { folder, home, clock, ids, ledger, writable } = this.#parts;
      return new VaultFace({
        directory: folder.directory,
        home,
        clock,
        ids,
        redactor: this.#parts.redactor,
        ledger,
        writable,
      });
    });
    return this.#vault;
  }

  skills(): Promise<Skills> {
    this.#skills ??= import('../agents/skills.ts').then(({ Skills }) => {
      const { folder, home } = this.#parts;
      return new Skills({ workspace: folder.workspace, home, trusted: this.isTrusted });
    });
    return this.#skills;
  }

  agents(): Promise<Agents> {
    this.#agents ??= import('../agents/agents.ts').then(({ Agents }) => {
      const { folder, requireTrust } = this.#parts;
      return new Agents({
        workspace: folder.workspace,
        requireTrust,
        toolNames: async () => (await this.tools()).map(({ name }) => name),
        checkModel: async (model) => this.models(await this.config()).checkModel(model),
      });
    });
    return this.#agents;
  }

  /** The models that the configuration and agents' files name. */
  models({ models, defaultModel }: OkaConfig): AgentModelDirectory {
    const { folder, clock, random } = this.#parts;
    const options = {
      models,
      defaultModel,
      folder: folder.workspace,
      clock,
      random,
      environment: this.#environment,
      secret: this.#secret,
      hasSecret: async (name: string) =>
        (await (await this.vault()).list()).credentials.some(
          (credential) => credential.name === name && credential.status === 'active',
        ),
      redactor: this.#parts.redactor,
    };
    return new AgentModelDirectory(options, async (agent) => (await this.agents()).load(agent));
  }

  /** Makes runs of agents, and tells agents what they have to know. */
  agentRuns(): AgentRuns {
    return new AgentRuns({
      load: async (agent) => (await this.agents()).load(agent),
      defaultModel: async () => (await this.config()).defaultModel,
      instructions: async () => (await this.agents()).instructions(),
      skills: async () => (await this.skills()).catalogue(),
      pack: this.#parts.pack,
      conversation: (vars) =>
        recallConversation(vars, {
          ledger: this.#parts.ledger,
          clock: this.#parts.clock,
          file: this.#parts.folder.database,
        }),
    });
  }

  /** What tools can do beside working on files and the ledger. */
  async capabilities(config: OkaConfig, files: Files, policy: Policy): Promise<Capabilities> {
    const { folder, clock, owner } = this.#parts;
    const { workspace } = folder;
    const { leases, runs } = this.#parts.ledger();
    const installer = new WorkspaceInstaller({
      workspace,
      environment: machineEnvironment(),
      sources: config.installs,
      leases,
      owner,
      clock,
    });
    const dependencies = new MissingDependencies({
      installer,
      files,
      redactor: this.#parts.redactor,
      decide: (tool, input, context) =>
        policy.decide({ tool, input, run: { id: context.runId, kind: 'call', state: 'act' } }).decision,
      goalOf: async (run) => (await runs.get(run))?.goal,
    });
    const processes = new WorkspaceProcesses({
      workspace,
      toolFolders: toolFolders(workspace),
      sandbox: config.sandbox,
      clock,
      // Whoever reaches the daemon can do all that the person can.
      hidden: [this.#parts.home, daemonSocket({ workspace, home: this.#parts.home }).folder],
    });
    return {
      processes: withInstalls(processes, { environment: () => toolEnvironment(workspace), dependencies }),
      dependencies,
      installer,
      http: new PinnedHttp({ clock, allowPrivate: config.allowPrivate }),
      secrets: { resolve: this.#secret },
      skills: await this.skills(),
      mcp: (await this.mcp()).servers,
    };
  }

  /** Teaches the redactor what must not be seen: the keys of the environment and every value of the vault. */
  async primeRedactor(): Promise<void> {
    for (const [name, value] of Object.entries(machineEnvironment()))
      if (value !== undefined && SECRET_NAME.test(name)) this.#parts.redactor.addSecret(name, value);
    if (!this.#parts.folder.hasVault) return;
    const vault = await this.vault();
    const { problems } = await vault.provider(this.#parts.ledger()).primeRedactor(this.#parts.redactor);
    for (const problem of problems) this.#parts.onTrouble?.(problem);
  }

  async close(): Promise<void> {
    await (await this.#mcp)?.close();
    (await this.#vault)?.close();
  }

  #secret = async (name: string, use: CredentialUse): Promise<string | undefined> => {
    const ledger = await this.#parts.writable();
    return (await this.vault()).provider(ledger).resolve(name, use);
  };
}

const SECRET_NAME = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?)$/i;
