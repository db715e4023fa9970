import { didYouMean, type Json, type JsonObject, nearestName, templatePaths } from '../../kernel/index.ts';
import { fillTemplate } from './fill-template.ts';
import type { Procedure, ProcedureStep } from './types.ts';

const FIELDS = ['name', 'description', 'triggers', 'words', 'steps', 'pitfalls', 'checklist', 'basis'];
const STEP_FIELDS = ['title', 'tool', 'input', 'acceptance'];
const BASIS_FIELDS = ['files'];
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const PLACE = /^(?:quoted|path|url|number|date)[1-9]\d?$/;
const MOST_STEPS = 50;
const MOST_TEXTS = 50;
const LONGEST_TEXT = 2_000;

/** Something that is wrong with what a person wrote, and where: the members that lead to it. */
export interface FieldProblem {
  readonly place: readonly (string | number)[];
  readonly message: string;
  readonly next: string;
}

/** A procedure as a person wrote it, or all that is wrong with it. The file's name is the procedure's. */
export function readProcedure(
  fileName: string,
  fields: Readonly<Record<string, unknown>>,
  description: string,
): { readonly procedure: Procedure } | { readonly problems: readonly FieldProblem[] } {
  const reading = new Reading();
  reading.onlyKnown(fields, FIELDS, []);
  const name = fields['name'] ?? fileName;
  if (typeof name !== 'string' || !NAME.test(name))
    reading.fault(
      ['name'],
      'the name has other characters than a-z, 0-9 and -',
      'Give it a name such as weekly-report.',
    );
  const phrases = reading.texts(fields, 'triggers', []);
  if (phrases.length === 0 && !reading.has(['triggers']))
    reading.fault(
      ['triggers'],
      'no trigger says when it is meant',
      'List at least one phrase under triggers.',
    );
  for (const [i, phrase] of phrases.entries()) checkPlaces(phrase, ['triggers', i], reading);
  const steps = readSteps(fields['steps'], reading);
  const described =
    fields['description'] === undefined ? description : reading.text(fields, 'description', []);
  const basis = fields['basis'];
  const files = isRecord(basis) ? reading.texts(basis, 'files', ['basis']) : [];
  if (isRecord(basis)) reading.onlyKnown(basis, BASIS_FIELDS, ['basis']);
  else if (basis !== undefined)
    reading.fault(['basis'], 'basis is not a list of fields', 'Write files: under it.');
  const words = reading.texts(fields, 'words', []);
  const pitfalls = reading.texts(fields, 'pitfalls', []);
  const checklist = reading.texts(fields, 'checklist', []);
  if (reading.problems.length > 0) return { problems: reading.problems };
  const tools = [...new Set(steps.flatMap(({ tool }) => tool ?? []))];
  return {
    procedure: {
      id: `file.${name as string}`,
      name: name as string,
      origin: 'file',
      ...(described === undefined || described === '' ? {} : { description: described }),
      trigger: { phrases, words },
      steps,
      pitfalls,
      checklist,
      basis: { files: files.map((path) => ({ path })), tools: tools.map((tool) => ({ name: tool })) },
    },
  };
}

function readSteps(value: unknown, reading: Reading): readonly ProcedureStep[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_STEPS) {
    reading.fault(
      ['steps'],
      `steps is not a list of 1 to ${MOST_STEPS} steps`,
      'List each step with a title.',
    );
    return [];
  }
  return value.flatMap((step: unknown, i): readonly ProcedureStep[] => {
    const place = ['steps', i];
    if (!isRecord(step)) {
      reading.fault(place, 'the step is not a list of fields', 'Begin it with "- title: …".');
      return [];
    }
    reading.onlyKnown(step, STEP_FIELDS, place);
    const title = reading.text(step, 'title', place);
    if (title === undefined && !reading.has([...place, 'title']))
      reading.fault(place, 'the step has no title', 'Say in its title what is to be done.');
    const tool = reading.text(step, 'tool', place);
    const acceptance = readAcceptance(step, place, reading);
    const input = readInput(step, place, reading);
    return [
      {
        title: title ?? '',
        ...(tool === undefined ? {} : { tool }),
        ...(input === undefined ? {} : { input }),
        ...(acceptance === undefined ? {} : { acceptance }),
      },
    ];
  });
}

function readInput(
  step: Readonly<Record<string, unknown>>,
  place: readonly (string | number)[],
  reading: Reading,
): JsonObject | undefined {
  const { input } = step;
  if (input === undefined) return undefined;
  if (step['tool'] === undefined)
    reading.fault([...place, 'input'], 'the step has an input and no tool', 'Name the tool that takes it.');
  if (!isRecord(input)) {
    reading.fault(
      [...place, 'input'],
      'the input is not a list of fields',
      'Write one argument of the tool a line.',
    );
    return undefined;
  }
  checkPlaces(input as Json, [...place, 'input'], reading);
  return input as JsonObject;
}

/** A text, a criterion, or a list of them; a text is a criterion in words. */
function readAcceptance(
  step: Readonly<Record<string, unknown>>,
  place: readonly (string | number)[],
  reading: Reading,
): readonly JsonObject[] | undefined {
  const { acceptance } = step;
  if (acceptance === undefined) return undefined;
  const all: readonly unknown[] = Array.isArray(acceptance) ? acceptance : [acceptance];
  const at = [...place, 'acceptance'];
  return all.flatMap((one) => {
    if (typeof one === 'string' && one.trim() !== '') return [{ judge: one.trim() }];
    if (isRecord(one)) {
      checkPlaces(one as Json, at, reading);
      return [one as JsonObject];
    }
    reading.fault(
      at,
      'it is neither a text nor a criterion',
      'Write what has to hold, or file_exists: … and the like.',
    );
    return [];
  });
}

/** Places that no goal can fill are mistakes. */
function checkPlaces(template: Json, place: readonly (string | number)[], reading: Reading): void {
  const wrong = templatePaths(template).find((path) => !PLACE.test(path));
  if (wrong === undefined) {
    const any = Object.fromEntries(templatePaths(template).map((path) => [path, '']));
    if (fillTemplate(template, any) === undefined)
      reading.fault(
        place,
        'it has a key that is not taken',
        'Leave out __proto__, constructor and prototype.',
      );
    return;
  }
  const next =
    'Use {{path1}}, {{quoted1}}, {{number1}}, {{date1}} or {{url1}}, counted as they stand in the goal.';
  reading.fault(place, `{{${wrong}}} is not a place that a goal fills`, next);
}

/** Collects what is wrong while fields are read. */
class Reading {
  readonly problems: FieldProblem[] = [];

  fault(place: readonly (string | number)[], message: string, next: string): void {
    this.problems.push({ place, message, next });
  }

  has(place: readonly (string | number)[]): boolean {
    return this.problems.some((problem) => problem.place.join('.') === place.join('.'));
  }

  text(
    fields: Readonly<Record<string, unknown>>,
    name: string,
    place: readonly (string | number)[],
  ): string | undefined {
    const value = fields[name];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_TEXT) return value.trim();
    this.fault(
      [...place, name],
      `${name} is not a text of 1 to ${LONGEST_TEXT} characters`,
      'Put it in quotes.',
    );
    return undefined;
  }

  texts(
    fields: Readonly<Record<string, unknown>>,
    name: string,
    place: readonly (string | number)[],
  ): readonly string[] {
    const value = fields[name];
    if (value === undefined) return [];
    if (!Array.isArray(value) || value.length > MOST_TEXTS) {
      this.fault(
        [...place, name],
        `${name} is not a list of at most ${MOST_TEXTS} texts`,
        'Write one "- …" a line.',
      );
      return [];
    }
    return value.flatMap((one: unknown, i) => this.text({ [i]: one }, String(i), [...place, name]) ?? []);
  }

  onlyKnown(
    fields: Readonly<Record<string, unknown>>,
    known: readonly string[],
    place: readonly (string | number)[],
  ): void {
    for (const field of Object.keys(fields)) {
      if (known.includes(field)) continue;
      const next = didYouMean(nearestName(field, known), `Known are ${known.join(', ')}.`);
      this.fault([...place, field], `there is no field "${field}"`, next);
    }
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
