import { PolicyFiles } from '../../adapters/workspace/index.ts';
import type { PolicyApi, PolicyCheckAnswer, PolicyFileView, PolicyRuleView } from '../../api/index.ts';
import { narrowTool, type ToolFace } from '../../engine/index.ts';
import { didYouMean, type Json, nearestName, OkaError } from '../../kernel/index.ts';
import type { PolicyRule, ReviewedRule } from '../../policy/index.ts';
import { openProcesses } from '../process/open-processes.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { loadDomain, type PolicyDomain, sourcesOf } from './policies.ts';

type PolicyServices = Pick<
  WorkspaceServices,
  'folder' | 'home' | 'isTrusted' | 'tools' | 'clock' | 'trust' | 'config'
>;

/** The policies of one workspace. */
export class PolicyAnswers implements PolicyApi {
  readonly #services: PolicyServices;

  constructor(services: PolicyServices) {
    this.#services = services;
  }

  check: PolicyApi['check'] = async (draft) => {
    const { readPolicy, reviewPolicy, printMatch } = await loadDomain();
    const files =
      draft === undefined ? this.#files().read() : [{ ...draft, path: draft.file, source: draft }];
    const readings = files.flatMap(({ file, owner, source }) =>
      source ? [{ file, owner, ...readPolicy(source) }] : [],
    );
    const rules = readings.flatMap(({ owner, rows }) => rows.map((row): PolicyRule => ({ ...row, owner })));
    const problems = readings.flatMap(({ file, problems: found }) => found.map((one) => ({ file, ...one })));
    const invalid = new Set(problems.map(({ file }) => file));
    const reviewed = reviewPolicy(rules, await this.#services.tools());
    const shown: PolicyFileView[] = draft
      ? [{ file: draft.file, path: draft.file, owner: draft.owner, status: 'draft' }]
      : this.#fileViews();
    return {
      valid: problems.length === 0,
      files: shown.map((view) => (invalid.has(view.file) ? { ...view, status: 'invalid' } : view)),
      rules: reviewed.map((rule) => viewRule(rule, printMatch)),
      problems,
    } satisfies PolicyCheckAnswer;
  };

  show: PolicyApi['show'] = async () => {
    const { compilePolicy, reviewPolicy, printMatch } = await loadDomain();
    const policy = compilePolicy(sourcesOf(this.#files(), this.#services.folder.workspace));
    return {
      version: policy.version,
      files: this.#fileViews(),
      defaults: DEFAULTS,
      rules: reviewPolicy(policy.rules, await this.#services.tools()).map((rule) =>
        viewRule(rule, printMatch),
      ),
    };
  };

  explain: PolicyApi['explain'] = async ({ tool: name, input, kind = '', state = '', agent }) => {
    const { compilePolicy, explainPolicy } = await loadDomain();
    const policy = compilePolicy(sourcesOf(this.#files(), this.#services.folder.workspace));
    const tool = findTool(name, await this.#services.tools());
    const filled = await fillInput(tool, input);
    const run = { id: '', kind, state, ...(agent === undefined ? {} : { agent }) };
    // As a run would see the call: a program on a draft has fewer effects.
    const processes = openProcesses(this.#services, await this.#services.config());
    const narrowed = narrowTool(tool, filled.input, { processes });
    const explanation = explainPolicy(policy, { tool: narrowed, input: filled.input, run });
    const untrusted = this.#services.isTrusted()
      ? []
      : ['the workspace is not trusted, so nothing in it may act and its own policy has not been read'];
    return { tool: name, ...explanation, notes: [...filled.notes, ...untrusted] };
  };

  #files(): PolicyFiles {
    const { folder, home, isTrusted } = this.#services;
    return new PolicyFiles({ workspaceFolder: folder.workspace, home, trusted: isTrusted() });
  }

  #fileViews(): PolicyFileView[] {
    const files = this.#files();
    const found = new Map(files.read().map((file) => [file.file, file.source !== undefined]));
    return files.places.map((place) => {
      const isThere = found.get(place.file);
      const status = isThere === undefined ? 'not_trusted' : isThere ? 'in_force' : 'absent';
      return { ...place, status };
    });
  }
}

const DEFAULTS = [
  {
    match: '* and risk at least high',
    decision: 'ask',
    why: 'high risk always asks, whatever a rule allows',
  },
  { match: '* (destructive)', decision: 'ask', why: 'it may change or delete data' },
  { match: '* and side effect is read', decision: 'allow', why: 'reading changes nothing' },
  {
    match: '* and side effect is write_local',
    decision: 'allow',
    why: 'a write inside the workspace can be undone',
  },
  {
    match: '* and side effect is external_mutation',
    decision: 'ask',
    why: 'it changes something outside the workspace',
  },
] as const;

function viewRule(
  { rule, effective, warnings }: ReviewedRule,
  print: PolicyDomain['printMatch'],
): PolicyRuleView {
  const { file, line, owner, match, decision, why } = rule;
  return { rule: `${file}:${line}`, owner, match: print(match), decision, why, effective, warnings };
}

function findTool(name: string, tools: readonly ToolFace[]): ToolFace {
  const found = tools.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  const near = nearestName(
    name,
    tools.map((tool) => tool.name),
  );
  throw new OkaError(
    'engine.unknown_tool',
    `there is no tool "${name}". ${didYouMean(near, 'See: oka tools list.')}`,
    { data: { tool: name } },
  );
}

/** The input as policy sees it, with the defaults of the tool; unchanged if the tool rejects it. */
async function fillInput(
  tool: ToolFace,
  input: Json,
): Promise<{ readonly input: Json; readonly notes: readonly string[] }> {
  const result = await tool.input.check['~standard'].validate(input);
  if (result.issues === undefined) return { input: result.value as Json, notes: [] };
  const [first] = result.issues;
  return { input, notes: [`the tool refuses this input: ${first?.message ?? 'it does not fit its schema'}`] };
}
