import { didYouMean, nearestName } from '../../kernel/index.ts';
import { frameError } from './frame-error.ts';
import { concatenation } from './policies/concatenation.ts';
import { filtering } from './policies/filtering.ts';
import { summarization } from './policies/summarization.ts';
import type { SynthesisInput, SynthesisPolicy } from './synthesis-policy.ts';

const BUILT_IN: readonly SynthesisPolicy[] = [concatenation, summarization, filtering];

/** The built-in and the registered policies of a workspace. */
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
    throw frameError('context.policy_unknown', `No synthesis policy "${name}". ${hint}`, {
      policy: name,
    });
  }

  /** Runs a policy. A registered one runs twice and must return the same result. */
  synthesize(policy: SynthesisPolicy, input: SynthesisInput): string {
    const content = policy.synthesize(input);
    if (BUILT_IN.includes(policy) || policy.synthesize(input) === content) return content;
    throw frameError(
      'context.policy_refused',
      `The synthesis policy "${policy.name}" returned different results for the same input. Make it a pure function.`,
      { policy: policy.name },
    );
  }

  #add(policy: SynthesisPolicy): void {
    if (policy.deterministic !== true || this.#policies.has(policy.name)) {
      const why = this.#policies.has(policy.name) ? 'its name is taken' : 'it is not declared deterministic';
      throw frameError(
        'context.policy_refused',
        `Cannot register the synthesis policy "${policy.name}": ${why}.`,
        { policy: policy.name },
      );
    }
    this.#policies.set(policy.name, policy);
  }
}
