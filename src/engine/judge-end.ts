import { textOf } from '../kernel/index.ts';
import type { Session } from './session.ts';
import type { ToolFace } from './tool.ts';
import type { Finish, Outcome } from './types.ts';

const MAX_REASONS = 20;

/** The outcome to record; undefined if nobody judges. A judge that fails proves nothing. */
export async function judgeEnd({ parts, run }: Session, finish: Finish): Promise<Outcome | undefined> {
  const { judge, runs, redactor, tools, capabilities } = parts;
  if (judge === undefined) return finish.outcome;
  try {
    const children = (run.used.children ?? 0) > 0 ? await runs.list({ parent: run.id }) : [];
    const tool = (name: string): ToolFace | undefined => tools.face(name);
    const { is, because } = await judge({ run, finish, children, tool, capabilities });
    return { is, because: because.slice(0, MAX_REASONS).map((reason) => redactor.text(reason)) };
  } catch (error) {
    return { is: 'unproven', because: [`it could not be checked: ${redactor.text(textOf(error))}`] };
  }
}
