// Every tool and every kind of run. A new one is one line here or in the list that it belongs to.
import { agentKind } from '../agent/index.ts';
import type { RunKind, Tool } from '../engine/index.ts';
import { graphKind } from '../graph/index.ts';
import { builtInTools } from '../tools/index.ts';

export const tools: readonly Tool[] = builtInTools();
export const kinds: readonly RunKind[] = [agentKind(), graphKind];
