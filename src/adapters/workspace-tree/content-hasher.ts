/**
 * Makes the function that hashes what is in an open file. It runs in worker threads as the text that it is, so it uses
 * nothing but what Node has everywhere.
 */
export function contentHasher(): (descriptor: number) => string {
  const fs = process.getBuiltinModule('node:fs');
  const crypto = process.getBuiltinModule('node:crypto');
  const buffer = Buffer.allocUnsafeSlow(1_048_576);
  return (descriptor) => {
    let length = fs.readSync(descriptor, buffer, 0, buffer.length, 0);
    if (length < buffer.length) return crypto.hash('sha256', buffer.subarray(0, length), 'hex');
    const hash = crypto.createHash('sha256');
    for (let at = 0; length > 0; ) {
      hash.update(buffer.subarray(0, length));
      at += length;
      length = fs.readSync(descriptor, buffer, 0, buffer.length, at);
    }
    return hash.digest('hex');
  };
}
