import { didYouMean, type Json, type JsonObject, nearestName, templatePaths } from '../../kernel/index.ts';
import { fillTemplate } from './goal-kind.ts';
import type { Procedure, ProcedureStep } from './types.ts';

const FIELDS = ['name', 'description', 'triggers', 'words', 'steps', 'pitfalls', 'checklist', 'basis'];
const STEP_FIELDS = ['title', 'tool', 'input', 'acceptance'];
const BASIS_FIELDS = ['files'];
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const SLOT = /^(?:quoted|path|url|number|date)[1-9]\d?$/;
const MAX_STEPS = 50;
const MAX_TEXTS = 50;
const MAX_TEXT_LENGTH = 2_000;

type Place = readonly (string | number)[];
type Fields = Readonly<Record<string, unknown>>;

/** A problem in a written procedure; `place` lists the members that lead to it. */
export interface FieldProblem {
  readonly place: Place;
  readonly message: string;
  readonly next: string;
}

/** Reads a written procedure, or lists all its problems. The file name is the default name. */
export function readProcedure(
  fileName: string,
  fields: Fields,
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
    reading.fault(['triggers'], 'it has no triggers', 'List at least one phrase under triggers.');
  for (const [i, phrase] of phrases.entries()) checkSlots(phrase, ['triggers', i], reading);
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
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_STEPS) {
    reading.fault(
      ['steps'],
      `steps is not a list of 1 to ${MAX_STEPS} steps`,
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

function readInput(step: Fields, place: Place, reading: Reading): JsonObject | undefined {
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
  checkSlots(input as Json, [...place, 'input'], reading);
  return input as JsonObject;
}

/** A text, a criterion, or a list of them. A text is a criterion for the judge. */
function readAcceptance(step: Fields, place: Place, reading: Reading): readonly JsonObject[] | undefined {
  const { acceptance } = step;
  if (acceptance === undefined) return undefined;
  const all: readonly unknown[] = Array.isArray(acceptance) ? acceptance : [acceptance];
  const at = [...place, 'acceptance'];
  return all.flatMap((one) => {
    if (typeof one === 'string' && one.trim() !== '') return [{ judge: one.trim() }];
    if (isRecord(one)) {
      checkSlots(one as Json, at, reading);
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

/** Reports slots that no goal can fill. */
function checkSlots(template: Json, place: Place, reading: Reading): void {
  const slots = templatePaths(template);
  const wrong = slots.find((path) => !SLOT.test(path));
  const samples = Object.fromEntries(slots.map((path) => [path, '']));
  if (wrong !== undefined) {
    const next =
      'Use {{path1}}, {{quoted1}}, {{number1}}, {{date1}} or {{url1}}, numbered by their order in the goal.';
    reading.fault(place, `{{${wrong}}} is not a slot that a goal can fill`, next);
  } else if (fillTemplate(template, samples) === undefined)
    reading.fault(place, 'it has a reserved key', 'Remove __proto__, constructor and prototype.');
}

/** Reads fields and collects problems. */
class Reading {
  readonly problems: FieldProblem[] = [];

  fault(place: Place, message: string, next: string): void {
    this.problems.push({ place, message, next });
  }

  has(place: Place): boolean {
    return this.problems.some((problem) => problem.place.join('.') === place.join('.'));
  }

  text(fields: Fields, name: string, place: Place): string | undefined {
    const value = fields[name];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT_LENGTH)
      return value.trim();
    this.fault(
      [...place, name],
      `${name} is not a text of 1 to ${MAX_TEXT_LENGTH} characters`,
      'Put it in quotes.',
    );
    return undefined;
  }

  texts(fields: Fields, name: string, place: Place): readonly string[] {
    const value = fields[name];
    if (value === undefined) return [];
    if (!Array.isArray(value) || value.length > MAX_TEXTS) {
      this.fault(
        [...place, name],
        `${name} is not a list of at most ${MAX_TEXTS} texts`,
        'Write one "- …" a line.',
      );
      return [];
    }
    return value.flatMap((one: unknown, i) => this.text({ [i]: one }, String(i), [...place, name]) ?? []);
  }

  onlyKnown(fields: Fields, known: readonly string[], place: Place): void {
    for (const field of Object.keys(fields)) {
      if (known.includes(field)) continue;
      const next = didYouMean(nearestName(field, known), `Known are ${known.join(', ')}.`);
      this.fault([...place, field], `there is no field "${field}"`, next);
    }
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
