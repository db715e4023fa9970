import { estimateTokens } from './estimate-tokens.ts';
import { type ContextPack, PACK_KINDS, type PackCandidate, type PackItem } from './types.ts';

/** A pack as a model reads it. */
export interface RenderedPack {
  /** What always holds, for the beginning of a question; empty when there is nothing. */
  readonly rules: string;
  /** What else is known. */
  readonly known: string;
}

const RULES_TITLE = '# What always holds here';
const KNOWN_TITLE = 'Known before, chosen for this goal:';
const FENCE = ['<untrusted from="memory">', '</untrusted>'] as const;

/** What titles and fences take at most. */
export const PACK_FRAME_TOKENS = estimateTokens(
  [RULES_TITLE, ...FENCE, '', '', KNOWN_TITLE, ...FENCE, ''].join('\n'),
);

/** The pack as text: kinds in their order, the best of each first, and what strangers wrote in a fence of its own. */
export function renderPack({ items }: Pick<ContextPack, 'items'>): RenderedPack {
  const ordered = PACK_KINDS.flatMap((kind) => items.filter((item) => item.kind === kind));
  return {
    rules: section(
      RULES_TITLE,
      ordered.filter(({ kind }) => kind === 'constraint'),
    ),
    known: section(
      KNOWN_TITLE,
      ordered.filter(({ kind }) => kind !== 'constraint'),
    ),
  };
}

/** One item as it is shown. Nobody's text can end the part that is marked as a stranger's, or begin one. */
export function renderItem({ kind, text }: Pick<PackCandidate, 'kind' | 'text'>): string {
  const label = kind === 'constraint' ? '' : `${kind}: `;
  return `- ${label}${text.toWellFormed().replaceAll(/<(\/?)untrusted/gi, '<$1_untrusted')}\n`;
}

function section(title: string, items: readonly PackItem[]): string {
  if (items.length === 0) return '';
  const own = items.filter(({ untrusted }) => !untrusted).map(renderItem);
  const strange = items.filter(({ untrusted }) => untrusted).map(renderItem);
  const fenced = strange.length === 0 ? [] : [`${FENCE[0]}\n`, ...strange, `${FENCE[1]}\n`];
  return [`${title}\n`, ...own, ...fenced].join('').trimEnd();
}
