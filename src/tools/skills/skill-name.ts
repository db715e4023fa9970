const LONGEST_NAME = 64;
const ALLOWED = /^[\p{Ll}\p{Lo}\p{M}0-9-]+$/u;
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;

/** A name in the one form in which names are compared. */
export function normalSkillName(name: string): string {
  return name.trim().normalize('NFKC');
}

/** Everything that keeps a text from being a skill's name: letters in lower case, digits, and hyphens between them. */
export function nameFaults(name: string): readonly string[] {
  const faults: string[] = [];
  if (name.length > LONGEST_NAME) faults.push(`it has ${name.length} characters, more than ${LONGEST_NAME}`);
  if (name !== name.toLowerCase()) faults.push('it has letters in upper case');
  if (!ALLOWED.test(name.toLowerCase()) || UNSEEN.test(name))
    faults.push('it has other characters than letters, digits and hyphens');
  if (name.startsWith('-') || name.endsWith('-')) faults.push('it begins or ends with a hyphen');
  if (name.includes('--')) faults.push('it has two hyphens in a row');
  return faults;
}
