/** The environment of this process, for the few places that pass variables on. */
export function machineEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
