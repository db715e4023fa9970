import { isOkaError, OkaError } from '../api/index.ts';
import { type Context, usageProblem } from './context.ts';

/** Reads a secret from a hidden prompt or standard input; never from an argument, which other processes can see. */
export async function readSecret(context: Context, what: string): Promise<string> {
  if (context.canPrompt) return askSecret(context, what);
  if (process.stdin.isTTY)
    throw usageProblem(`${what} is missing. Pass it on standard input, such as: oka vault … < file.`);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OkaError(
      'vault.not_text',
      `${what} on standard input is not UTF-8 text. Encode it, for example in base64.`,
    );
  } finally {
    for (const chunk of [...chunks, bytes]) chunk.fill(0);
  }
}

async function askSecret(context: Context, what: string): Promise<string> {
  const { password, isCancel } = await import('@clack/prompts');
  const answer = await password({ message: what, output: context.printer.output.stream });
  if (isCancel(answer)) throw usageProblem('No input, so nothing was changed.');
  return answer ?? '';
}

/** Asks twice, because the input is hidden. */
export async function askNewPassphrase(context: Context): Promise<string> {
  const first = await askSecret(context, 'New passphrase for the vault (it cannot be recovered)');
  const second = await askSecret(context, 'Repeat the passphrase');
  if (first === second) return first;
  throw usageProblem('The passphrases differ, so nothing was changed. Try again.');
}

/** Prompts for the passphrase of the vault if the work needs it, then retries. */
export async function withPassphrase<T>(context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOkaError(error, 'vault.passphrase_needed') || !context.canPrompt) throw error;
    const passphrase = error.data['fresh']
      ? await askNewPassphrase(context)
      : await askSecret(context, 'Passphrase of the vault');
    await (await context.open()).vault.unlock(passphrase);
    return work();
  }
}
