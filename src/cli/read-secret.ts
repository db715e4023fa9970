import { isOkaError, OkaError } from '../api/index.ts';
import type { Context } from './context.ts';

/** A secret that a person types without its showing, or that comes on standard input; never an argument. */
export async function readSecret(context: Context, what: string): Promise<string> {
  if (context.mayAsk) return askSecret(context, what);
  if (process.stdin.isTTY)
    throw new OkaError('cli.usage', `give ${what} on standard input, as in: oka vault … < file.`);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OkaError(
      'vault.not_text',
      `${what} on standard input is not text in UTF-8; encode it, for example in base64.`,
    );
  } finally {
    for (const chunk of [...chunks, bytes]) chunk.fill(0);
  }
}

/** Asks a person. Ending the question ends the command. */
async function askSecret(context: Context, what: string): Promise<string> {
  const { password, isCancel } = await import('@clack/prompts');
  const answer = await password({ message: what, output: context.printer.output });
  if (isCancel(answer)) throw new OkaError('cli.usage', 'nothing was given, so nothing was done.');
  return answer ?? '';
}

/** Asks for a passphrase that is to be used from now on, twice, because nobody can see what is typed. */
export async function askNewPassphrase(context: Context): Promise<string> {
  const first = await askSecret(context, 'A new passphrase for the vault (nobody can restore it)');
  const second = await askSecret(context, 'The same again');
  if (first === second) return first;
  throw new OkaError('cli.usage', 'the two passphrases differ, so nothing was done; try again.');
}

/** Does the work; where it lacks the passphrase of the vault and a person is there, asks and does it again. */
export async function withPassphrase<T>(context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOkaError(error, 'vault.passphrase_needed') || !context.mayAsk) throw error;
    const passphrase = error.data['fresh']
      ? await askNewPassphrase(context)
      : await askSecret(context, 'The passphrase of the vault');
    await (await context.open()).vault.unlock(passphrase);
    return work();
  }
}
