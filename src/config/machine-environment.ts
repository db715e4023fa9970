/** The variables of this process, for the few places that hand some of them on. */
export function machineEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
