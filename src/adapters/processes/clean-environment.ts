/** Those variables of our own environment that are named, and no other. */
export function cleanEnvironment(names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
