import { canonicalJson, digestOf } from '../../../kernel/index.ts';
import type { ExportProof } from '../../../ledger/index.ts';
import { EXPORT_STYLE } from './export-style.ts';

/** The script of the page, bundled when Oka is built. See scripts/export-verifier.mjs. */
declare const __OKA_EXPORT_VERIFIER__: string;

interface FileParts {
  /** A fixed text and an id. */
  readonly title: string;
  readonly page: string;
  readonly data: string;
  readonly proof: ExportProof;
}

/** The whole file. Its policy lets it run this one script, use this one style, and request nothing. */
export function fileAround({ title, page, data, proof }: FileParts): string {
  const policy = [
    "default-src 'none'",
    `script-src ${sourceHash(__OKA_EXPORT_VERIFIER__)}`,
    `style-src ${sourceHash(EXPORT_STYLE)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<title>${title}</title><style id="oka-style">${EXPORT_STYLE}</style></head>`,
    `<body><div id="oka-check" class="check" role="status"><strong>Not checked: the check of this file needs JavaScript.</strong></div>`,
    `<main id="oka-page">${page}</main>`,
    `<script type="text/plain" id="oka-data">${data}</script>`,
    `<script type="text/plain" id="oka-proof">${canonicalJson(proof)}</script>`,
    `<script>${__OKA_EXPORT_VERIFIER__}</script></body></html>\n`,
  ].join('\n');
}

function sourceHash(text: string): string {
  return `'sha256-${Buffer.from(digestOf(text), 'hex').toString('base64')}'`;
}
