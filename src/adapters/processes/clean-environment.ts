/** Returns only the named environment variables. */
export function cleanEnvironment(names: readonly string[]): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) clean[name] = value;
  }
  return clean;
}
