/** The passphrase of vaults, where the environment gives one. */
export function vaultPassphrase(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  return environment['OKA_VAULT_PASSPHRASE'] || undefined;
}
