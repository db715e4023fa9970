/** A failed request: the product's error as problem+json, or the reason why there is no answer. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** What the person can do about it. */
  readonly next?: string;
  readonly data?: unknown;

  constructor(fields: {
    readonly status: number;
    readonly code: string;
    readonly title: string;
    readonly detail?: string | undefined;
    readonly next?: string | undefined;
    readonly data?: unknown;
  }) {
    super(fields.detail ?? fields.title);
    this.name = 'Problem';
    this.status = fields.status;
    this.code = fields.code;
    this.title = fields.title;
    this.detail = fields.detail ?? fields.title;
    if (fields.next !== undefined) this.next = fields.next;
    if (fields.data !== undefined) this.data = fields.data;
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** `next` may be one step or several. */
const nextOf = (value: unknown): string | undefined =>
  Array.isArray(value) ? textOf(value.filter((step) => typeof step === 'string').join('; ')) : textOf(value);

/** The problem in the body of a response that is not a success. */
export function problemOf(status: number, body: unknown): Problem {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return new Problem({
    status,
    code: textOf(fields['code']) ?? `http.${status}`,
    title: textOf(fields['title']) ?? `The request failed with status ${status}`,
    detail: textOf(fields['detail']),
    next: nextOf(fields['next']),
    data: fields['data'],
  });
}

/** Any thrown value as a problem. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError && /fetch|network/i.test(error.message))
    return new Problem({
      status: 0,
      code: 'web.unreachable',
      title: 'Oka is not reachable',
      detail: 'The daemon does not answer.',
      next: 'Run: oka web',
    });
  const detail = error instanceof Error ? error.message : String(error);
  return new Problem({
    status: 0,
    code: 'web.unexpected',
    title: 'Something went wrong in this page',
    detail,
  });
}
