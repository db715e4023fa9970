/** The vault passphrase from the environment. */
export function vaultPassphrase(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  return environment['OKA_VAULT_PASSPHRASE'] || undefined;
}

/** Whether every answer is compared with its schema, as tests want it. */
export function answersAreChecked(): boolean {
  return process.env['OKA_CHECK_ANSWERS'] === '1';
}
