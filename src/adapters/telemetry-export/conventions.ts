// Names of the GenAI semantic conventions of OpenTelemetry 1.41.0, and our own for what those do not describe.
import { isOkaError } from '../../kernel/index.ts';

export const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.41.0';

export const OPERATION = 'gen_ai.operation.name';
export const PROVIDER = 'gen_ai.provider.name';
export const REQUEST_MODEL = 'gen_ai.request.model';
export const RESPONSE_MODEL = 'gen_ai.response.model';
export const INPUT_TOKENS = 'gen_ai.usage.input_tokens';
export const OUTPUT_TOKENS = 'gen_ai.usage.output_tokens';
export const CACHED_TOKENS = 'gen_ai.usage.cache_read.input_tokens';
export const FINISH_REASONS = 'gen_ai.response.finish_reasons';
export const TOKEN_TYPE = 'gen_ai.token.type';
export const TOOL = 'gen_ai.tool.name';
export const AGENT = 'gen_ai.agent.name';
export const WORKFLOW = 'gen_ai.workflow.name';
export const ERROR_TYPE = 'error.type';

export const RUN = 'oka.run.id';
export const RUN_KIND = 'oka.run.kind';
export const RUN_STATUS = 'oka.run.status';
export const OUTCOME = 'oka.outcome';

/** What the conventions call a value that is not one of a known few. */
export const OTHER = '_OTHER';

const CODE = /^[a-z][a-z_]*\.[a-z][a-z_]*$/;

/** An error as an attribute: its code. Never its message, which can quote what a model or a person wrote. */
export function errorTypeOf(error: unknown): string {
  return isOkaError(error) ? knownCode(error.code) : OTHER;
}

/** Graphs and models can make up codes, and every value of an attribute is a series of its own. */
export function knownCode(code: string | undefined): string {
  return code !== undefined && CODE.test(code) ? code : OTHER;
}

const PROVIDERS: Readonly<Record<string, string>> = { mistral: 'mistral_ai', gemini: 'gcp.gemini' };

export function providerName(name: string): string {
  return PROVIDERS[name] ?? name;
}
