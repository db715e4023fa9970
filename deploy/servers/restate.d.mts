/** The version of the server that Oka is tested with. */
export const RESTATE_VERSION: string;
/** The program, when it is installed. */
export function findRestate(): string | undefined;
/** Installs the program unless it is there. */
export function installRestate(): Promise<string>;
