import type { ExportCrypto } from './verify-export.ts';

/** The cryptography of browsers and of Node. Undefined where a page may not use it. */
export function webCrypto(): ExportCrypto | undefined {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) return undefined;
  const encoder = new TextEncoder();
  return {
    sha256: async (text) => toHex(await subtle.digest('SHA-256', encoder.encode(text))),
    verifyEd25519: async (key, text, signature) => {
      const [keyBytes, signatureBytes] = [fromBase64(key), fromBase64(signature)];
      if (keyBytes === undefined || signatureBytes === undefined) return false;
      try {
        const imported = await subtle.importKey('spki', keyBytes, { name: 'Ed25519' }, false, ['verify']);
        return await subtle.verify({ name: 'Ed25519' }, imported, signatureBytes, encoder.encode(text));
      } catch (error) {
        // Older browsers do not know the algorithm; a wrong key is another error.
        return (error as Error).name === 'NotSupportedError' ? undefined : false;
      }
    },
  };
}

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Undefined unless the text is the one way to write the bytes, so that no character can change unnoticed. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const decoded = atob(text);
    if (btoa(decoded) !== text) return undefined;
    return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
