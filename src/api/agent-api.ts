/** One thing that is wrong with an agent, and the way out. */
export interface AgentProblemView {
  readonly code: string;
  readonly field?: string;
  readonly message: string;
  readonly next: string;
}

/** An agent as lists show it. */
export interface AgentView {
  readonly name: string;
  readonly description?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly script?: string;
  readonly contextRole?: 'reader' | 'writer' | 'synthesis';
  readonly tools?: readonly string[];
  /** Its file, relative to the workspace; the built-in agent has none. */
  readonly path?: string;
  readonly valid: boolean;
}

export interface AgentDetails extends AgentView {
  readonly fallback?: readonly string[];
  readonly temperature?: number;
  readonly budgets?: Readonly<Record<string, number>>;
  readonly persona: string;
  readonly problems: readonly AgentProblemView[];
}

export interface AgentCheckAnswer {
  readonly valid: boolean;
  readonly agents: readonly {
    readonly name: string;
    readonly path?: string;
    readonly valid: boolean;
    readonly problems: readonly AgentProblemView[];
  }[];
}

export interface NewAgentRequest {
  readonly name: string;
  readonly description?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly script?: string;
  readonly fallback?: readonly string[];
  readonly temperature?: number;
  readonly contextRole?: string;
  readonly tools?: readonly string[];
  readonly budgets?: Readonly<Record<string, number>>;
  readonly persona?: string;
}

/** What can be asked about agents. People write them; no run can. */
export interface AgentApi {
  list(): Promise<readonly AgentView[]>;
  show(name: string): Promise<AgentDetails>;
  /** Writes the file of a new agent, unless anything about it is wrong. */
  create(request: NewAgentRequest): Promise<AgentDetails>;
  /** Checks one agent, or all. */
  check(name?: string): Promise<AgentCheckAnswer>;
}
