import { estimateTokens } from './estimate-tokens.ts';
import { type ContextPack, PACK_KINDS, type PackCandidate, type PackItem } from './types.ts';

/** A pack as a model reads it. A part without items is empty. */
export interface RenderedPack {
  /** Constraints, for the beginning of the prompt. */
  readonly rules: string;
  /** All other items. */
  readonly known: string;
}

const RULES_TITLE = '# What always holds here';
const KNOWN_TITLE = 'Known before, chosen for this goal:';
const FENCE = ['<untrusted from="memory">', '</untrusted>'] as const;

/** The maximum size of titles and fences. */
export const PACK_FRAME_TOKENS = estimateTokens(
  [RULES_TITLE, ...FENCE, '', '', KNOWN_TITLE, ...FENCE, ''].join('\n'),
);

/** Renders a pack: kinds in order, the best item of each first, untrusted items inside a fence. */
export function renderPack({ items }: Pick<ContextPack, 'items'>): RenderedPack {
  const ordered = PACK_KINDS.flatMap((kind) => items.filter((item) => item.kind === kind));
  const rules = ordered.filter(({ kind }) => kind === 'constraint');
  const others = ordered.filter(({ kind }) => kind !== 'constraint');
  return { rules: section(RULES_TITLE, rules), known: section(KNOWN_TITLE, others) };
}

/** Renders one item. Its text can neither end nor start an untrusted fence. */
export function renderItem({
  kind,
  text,
  unconfirmed,
  note,
}: Pick<PackCandidate, 'kind' | 'text' | 'unconfirmed' | 'note'>): string {
  const marks = [unconfirmed ? 'not confirmed' : '', note ?? ''].filter((mark) => mark !== '');
  const marked = marks.length === 0 ? '' : `(${marks.join('; ')})`;
  const label = [kind === 'constraint' ? '' : kind, marked].filter((part) => part !== '').join(' ');
  const start = label === '' ? '' : `${label}: `;
  return `- ${start}${text.toWellFormed().replaceAll(/<(\/?)untrusted/gi, '<$1_untrusted')}\n`;
}

function section(title: string, items: readonly PackItem[]): string {
  if (items.length === 0) return '';
  const own = items.filter(({ untrusted }) => !untrusted).map(renderItem);
  const foreign = items.filter(({ untrusted }) => untrusted).map(renderItem);
  const fenced = foreign.length === 0 ? [] : [`${FENCE[0]}\n`, ...foreign, `${FENCE[1]}\n`];
  return [`${title}\n`, ...own, ...fenced].join('').trimEnd();
}
