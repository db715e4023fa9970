import type { Policy, PolicyRequest, PolicyVerdict } from './ports.ts';
import { RISKS } from './tool.ts';

/** Decides by side-effect class and risk: allows reads and undoable local writes, asks a person for the rest. */
export const defaultPolicy: Policy = {
  version: 'default/1',
  decide({ tool }: PolicyRequest): PolicyVerdict {
    const { risk, destructive } = tool.annotations;
    if (RISKS.indexOf(risk) >= RISKS.indexOf('high')) {
      return { decision: 'ask', rule: 'risk', why: `${tool.name} has ${risk} risk` };
    }
    if (destructive)
      return { decision: 'ask', rule: 'destructive', why: `${tool.name} may change or delete data` };
    switch (tool.sideEffect) {
      case 'read':
        return { decision: 'allow', rule: 'read', why: 'reading changes nothing' };
      case 'write_local':
        return {
          decision: 'allow',
          rule: 'write_local',
          why: 'a write inside the workspace that can be undone',
        };
      case 'external_mutation':
        return {
          decision: 'ask',
          rule: 'external_mutation',
          why: `${tool.name} changes something outside the workspace`,
        };
    }
  },
};
