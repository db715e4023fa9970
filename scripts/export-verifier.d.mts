/** The text of the script that verifies an exported run. */
export function exportVerifier(root: string): Promise<string>;
