import { tidyPath } from '../../language/index.ts';

/** The two places that a goal compares. */
export interface ComparedPlaces {
  readonly one: string;
  readonly other: string;
  readonly note?: string | undefined;
}

const MAX_LENGTH = 500;
const PLACE = String.raw`"[^"]+"|“[^“”]+”|'[^']+'|\x60[^\x60]+\x60|[^\s,"'?]*[^\s,"'?.!]`;
const KIND = String.raw`(?:(?:the|two|both|these|my|our|contents?|of|files?|folders?|director(?:y|ies))\s+)*`;
const JOIN = String.raw`(?:\s+(?:and|with|to|against|vs\.?|versus|from|or)\s+|\s*,\s*)`;
const pair = (join = JOIN): string =>
  `${KIND}(?<one>${PLACE})(?:\\s+(?:folder|file|directory))?${join}${KIND}(?<other>${PLACE})(?:\\s+(?:folder|file|directory))?`;
const POLITE = String.raw`^\s*(?:please\s+|kindly\s+|can you\s+|could you\s+|would you\s+|tell me\s+|show me\s+)*`;
const SAME = String.raw`(?:(?:the\s+|exactly the\s+)?same|identical|equal|different|alike)`;
const END = String.raw`(?:,?\s+(?:please|for me))*(?:,?\s+(?:and\s+)?(?:(?:write|save|put)\s+(?:it|them|the\s+(?:result|report|differences|diff))\s+)?(?:in)?to\s+(?<note>"[^"]+"|[^\s"]+\.(?:md|markdown|txt)))?\s*[?.!]*\s*$`;

/** Goals that compare two places, with every word accounted for. */
const FORMS: readonly RegExp[] = [
  `(?:compare|diff|do a diff of|run a diff of|make a diff of)\\s+${pair()}`,
  `diff\\s+${pair(String.raw`\s+`)}`,
  `(?:what(?:'s|’s|\\s+is|\\s+are)\\s+|show\\s+|find\\s+|list\\s+|give me\\s+)?(?:the\\s+|all\\s+)*(?:differences?|different|diff)\\s+between\\s+${pair()}`,
  `what\\s+(?:differs|changed)\\s+between\\s+${pair()}`,
  `how\\s+(?:do|does|is|are)\\s+${pair(String.raw`\s+(?:and|differ(?:ent)?\s+from)\s+`)}(?:\\s+differ(?:ent)?)?`,
  `(?:whether\\s+|if\\s+|check\\s+(?:if|whether|that)\\s+)?(?:are\\s+|do\\s+)?${pair()}\\s+(?:are\\s+|differ|have\\s+|be\\s+)?(?:${SAME}(?:\\s+contents?)?)?`,
  `(?:is|does)\\s+${pair(String.raw`\s+(?:${SAME}\s+(?:as|to|from|with)|differ\s+from)\s+`)}`,
].map((form) => new RegExp(`${POLITE}${form}${END}`, 'iu'));
/** The form whose words do not say by themselves that something is compared. */
const OPEN_FORM = 5;

/** Reads the two places from a goal that says nothing else; undefined for any other goal. */
export function comparedPlaces(text: string): ComparedPlaces | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  for (const [i, form] of FORMS.entries()) {
    const found = form.exec(text)?.groups;
    if (found === undefined) continue;
    if (i === OPEN_FORM && !/\b(?:same|identical|equal|different|alike|differ)\b/i.test(text)) continue;
    const [one, other, note] = [found['one'], found['other'], found['note']].map((place) =>
      place === undefined ? undefined : placeOf(place),
    );
    if (one === undefined || other === undefined || one === other) continue;
    const isWorded = [found['one'], found['other']].every((place) => /^[a-z]{3,}$/.test(place ?? ''));
    // Two plain words after a verb other than compare and diff may be anything.
    if (isWorded && !/\b(?:compare|diff|folders?|director(?:y|ies)|files?)\b/i.test(text)) continue;
    return { one, other, note };
  }
  return undefined;
}

function placeOf(place: string): string {
  if (/^(?:this|here|current)$/i.test(place)) return '.';
  return tidyPath(place.replace(/^["“'`](.*)["”'`]$/u, '$1'));
}
