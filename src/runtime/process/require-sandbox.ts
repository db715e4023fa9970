import type { OkaConfig } from '../../config/index.ts';
import { hashArguments, isUnattended, type Middleware } from '../../engine/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { Processes, ToolsErrorCode } from '../../tools/index.ts';

const PROGRAMS = 'process.run';
export const NO_SANDBOX_RULE = 'no_sandbox';
/** The package of the common distributions. */
export const INSTALL_BUBBLEWRAP =
  'Install bubblewrap (package "bubblewrap": apt install bubblewrap, dnf install bubblewrap)';

/** The message for a program that is refused. */
export function noSandboxForUnattended(why: string): string {
  return `Programs of unattended runs need a sandbox, and there is none: ${why}. ${INSTALL_BUBBLEWRAP}, or set "sandbox": "off" in your own config.json.`;
}

/** Rejects a wish to remember an approval that was asked for because there is no sandbox. */
export function requireRemembering(rule: string | undefined): void {
  if (rule !== NO_SANDBOX_RULE) return;
  throw new OkaError<ToolsErrorCode>(
    'process.sandbox_required',
    `Without a sandbox no approval of a program is remembered. ${INSTALL_BUBBLEWRAP}, or approve this call once.`,
  );
}

/** Without a sandbox, unattended runs start no program, approvals say so first, and none is remembered. */
export function requireSandbox(
  processes: Pick<Processes, 'sandbox'>,
  { sandbox }: Pick<OkaConfig, 'sandbox'>,
): Middleware {
  return {
    name: 'sandbox',
    async onDecision(context, next) {
      const { decision, run, notes } = context;
      if (decision.kind !== 'call_tool' || decision.tool !== PROGRAMS) return next();
      const { kind, why = '' } = processes.sandbox;
      if (kind !== 'none') return next();
      if (sandbox !== 'off' && isUnattended(run)) {
        const code: ToolsErrorCode = 'process.sandbox_required';
        return { kind: 'refuse', failure: { code, message: noSandboxForUnattended(why) } };
      }
      const ruling = await next();
      const warning = `NO SANDBOX: the program runs with all your rights, because ${why}.`;
      if (ruling.kind === 'park' && ruling.waiting.for === 'approval')
        return {
          kind: 'park',
          waiting: { ...ruling.waiting, why: `${warning}\n${ruling.waiting.why}`, rule: NO_SANDBOX_RULE },
        };
      if (ruling.kind !== 'go' || !notes.policy?.startsWith('grant:')) return ruling;
      const argumentsHash = hashArguments(PROGRAMS, decision.input);
      const asks = 'an earlier approval that was to be remembered counts only in a sandbox';
      return {
        kind: 'park',
        waiting: { for: 'approval', why: `${warning}\n${asks}`, rule: NO_SANDBOX_RULE, argumentsHash },
      };
    },
  };
}
