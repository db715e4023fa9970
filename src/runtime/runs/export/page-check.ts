// The script of an exported run: verifies the file that it is in and says so. It is bundled by scripts/export-verifier.mjs.
import { type ExportReport, verifyExport, webCrypto } from '../../../ledger/index.ts';

/** The parts of a browser's document that are used here. */
interface PageElement {
  textContent: string | null;
  innerHTML: string;
  className: string;
  append(...children: (PageElement | string)[]): void;
  replaceChildren(...children: (PageElement | string)[]): void;
}
declare const document: {
  getElementById(id: string): PageElement | null;
  createElement(name: string): PageElement;
};

const NO_CRYPTO =
  'Not checked: this browser offers no cryptography to this page. Save the file and open it from disk.';

const part = (id: string): PageElement => document.getElementById(id) as PageElement;

function element(name: string, text: string): PageElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function show(tone: 'ok' | 'bad' | 'wait', headline: string, details: readonly string[]): void {
  const status = part('oka-check');
  status.className = `check ${tone}`;
  status.replaceChildren(element('strong', headline));
  if (details.length === 0) return;
  const list = document.createElement('ul');
  list.append(...details.map((detail) => element('li', detail)));
  status.append(list);
}

function detailsOf({ signature, signedBy, withoutBody }: ExportReport): readonly string[] {
  const bodies =
    withoutBody === 0
      ? []
      : [
          `${withoutBody} ${withoutBody === 1 ? 'event has' : 'events have'} no content: it was erased or withheld. The chain covers its digest.`,
        ];
  switch (signature) {
    case 'valid':
      return [
        `Signed on ${new Date(signedBy?.at ?? 0).toISOString()} with the key ${signedBy?.key}. Compare the key with the one in .oka/head.json of the workspace.`,
        ...bodies,
      ];
    case 'unsupported':
      return ['Signed, but this browser cannot check Ed25519 signatures. Use a newer one.', ...bodies];
    default:
      return [
        'Not signed: everything in this file fits together, but whoever computes all values again can write such a file. Compare the chain value with the ledger.',
        ...bodies,
      ];
  }
}

async function check(): Promise<void> {
  const parts = {
    data: part('oka-data').textContent ?? '',
    proof: part('oka-proof').textContent ?? '',
    style: part('oka-style').textContent ?? '',
    html: part('oka-page').innerHTML,
  };
  const crypto = webCrypto();
  if (crypto === undefined) {
    show('wait', NO_CRYPTO, []);
    return;
  }
  const report = await verifyExport(parts, crypto);
  const { faults, events, end } = report;
  if (faults.length > 0)
    show(
      'bad',
      'Not verified: this file was changed after it was exported.',
      faults.map(({ where, what }) => `${where}: ${what}`),
    );
  else show('ok', `Verified: ${events} events, chain ends at ${end}`, detailsOf(report));
}

check().catch((error: unknown) => show('bad', `Not verified: the check failed: ${String(error)}`, []));
