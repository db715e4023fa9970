import { SMALL_PROJECT } from '../cli/oka-process.ts';
import { type PageStep, stepsIn } from './run-page.ts';

/** The steps of README. */
export function readmeSteps(page: string): readonly PageStep[] {
  return stepsIn(page).flatMap(atStart);
}

/** Each block that begins with `cd my-project` begins in the folder above it. */
function atStart(step: PageStep): readonly PageStep[] {
  if (!step.script.startsWith('cd my-project')) return [step];
  return [{ ...step, script: `cd "$START"\n${step.script}` }];
}

/** A person's folder, with a project in it that has the name that README uses. */
export function startFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(SMALL_PROJECT).map(([path, content]) => [`my-project/${path}`, content]),
  );
}
