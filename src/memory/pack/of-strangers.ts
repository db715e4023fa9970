/** How the source of a fact ends that a run has remembered after it read what strangers wrote. */
const ENDING = ' (untrusted)';

/** Whether strangers may have had a hand in what a source stands for. */
export function isOfStrangers(source: string | undefined): boolean {
  return source?.endsWith(ENDING) ?? false;
}
