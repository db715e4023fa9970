/** The vault passphrase from the environment. */
export function vaultPassphrase(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  return environment['OKA_VAULT_PASSPHRASE'] || undefined;
}
