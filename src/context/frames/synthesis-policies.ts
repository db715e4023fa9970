import { didYouMean, nearestName } from '../../kernel/index.ts';
import { frameError } from './frame-error.ts';
import { concatenation } from './policies/concatenation.ts';
import { filtering } from './policies/filtering.ts';
import { summarization } from './policies/summarization.ts';
import type { SynthesisInput, SynthesisPolicy } from './synthesis-policy.ts';

const BUILT_IN: readonly SynthesisPolicy[] = [concatenation, summarization, filtering];

/** The policies of a workspace: the built-in ones, and those that an embedder registers. */
export class SynthesisPolicies {
  readonly #policies = new Map<string, SynthesisPolicy>();

  constructor(custom: readonly SynthesisPolicy[] = []) {
    for (const policy of [...BUILT_IN, ...custom]) this.#add(policy);
  }

  get names(): readonly string[] {
    return [...this.#policies.keys()];
  }

  find(name: string): SynthesisPolicy | undefined {
    return this.#policies.get(name);
  }

  require(name: string): SynthesisPolicy {
    const policy = this.find(name);
    if (policy) return policy;
    const hint = didYouMean(nearestName(name, this.names), `Known are ${this.names.join(', ')}.`);
    throw frameError('context.policy_unknown', `there is no synthesis policy "${name}". ${hint}`, {
      policy: name,
    });
  }

  /** What the policy makes of its input; one that was registered is asked twice and has to answer alike. */
  synthesize(policy: SynthesisPolicy, input: SynthesisInput): string {
    const content = policy.synthesize(input);
    if (BUILT_IN.includes(policy) || policy.synthesize(input) === content) return content;
    throw frameError(
      'context.policy_refused',
      `the synthesis policy "${policy.name}" answers otherwise the second time, so nothing can rest on it; make it a pure function of its input.`,
      { policy: policy.name },
    );
  }

  #add(policy: SynthesisPolicy): void {
    if (policy.deterministic !== true || this.#policies.has(policy.name)) {
      const why = this.#policies.has(policy.name) ? 'its name is taken' : 'it is not declared deterministic';
      throw frameError(
        'context.policy_refused',
        `the synthesis policy "${policy.name}" cannot be registered: ${why}; change that, then register it again.`,
        { policy: policy.name },
      );
    }
    this.#policies.set(policy.name, policy);
  }
}
