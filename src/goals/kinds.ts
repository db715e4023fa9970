// Owns: what people call files, and the extensions that they mean. A kind has one name, whichever word a person uses.

/** Programming languages by name, with the words for them in goals. */
const LANGUAGES: readonly {
  readonly name: string;
  readonly words: string;
  readonly extensions: string;
}[] = [
  { name: 'TypeScript', words: 'typescript', extensions: 'ts tsx mts cts' },
  { name: 'JavaScript', words: 'javascript', extensions: 'js jsx mjs cjs' },
  { name: 'Python', words: 'python', extensions: 'py pyi' },
  { name: 'Java', words: 'java', extensions: 'java' },
  { name: 'Kotlin', words: 'kotlin', extensions: 'kt kts' },
  { name: 'C', words: 'c', extensions: 'c h' },
  { name: 'C++', words: 'c++ cpp', extensions: 'cc cpp cxx hpp hh' },
  { name: 'C#', words: 'c# csharp', extensions: 'cs' },
  { name: 'Go', words: 'golang go', extensions: 'go' },
  { name: 'Rust', words: 'rust', extensions: 'rs' },
  { name: 'Ruby', words: 'ruby', extensions: 'rb' },
  { name: 'PHP', words: 'php', extensions: 'php' },
  { name: 'Swift', words: 'swift', extensions: 'swift' },
  { name: 'Scala', words: 'scala', extensions: 'scala' },
  { name: 'Haskell', words: 'haskell', extensions: 'hs' },
  { name: 'Elixir', words: 'elixir', extensions: 'ex exs' },
  { name: 'Clojure', words: 'clojure', extensions: 'clj cljs' },
  { name: 'Lua', words: 'lua', extensions: 'lua' },
  { name: 'Perl', words: 'perl', extensions: 'pl pm' },
  { name: 'R', words: 'r', extensions: 'r' },
  { name: 'Shell', words: 'shell bash', extensions: 'sh bash zsh' },
  { name: 'SQL', words: 'sql', extensions: 'sql' },
  { name: 'HTML', words: 'html', extensions: 'html htm' },
  { name: 'CSS', words: 'css', extensions: 'css scss sass less' },
  { name: 'Vue', words: 'vue', extensions: 'vue' },
  { name: 'Svelte', words: 'svelte', extensions: 'svelte' },
];

/** Kinds that people name without "files", such as "photos"; the first word names the kind. */
const NOUNS: readonly (readonly [words: string, extensions: string])[] = [
  [
    'photos photo pictures picture images image pics pic photographs photograph',
    'jpg jpeg png gif webp heic heif bmp tif tiff svg avif dng cr2 nef arw',
  ],
  ['videos video movies movie films film', 'mp4 mov mkv avi webm m4v wmv flv mpg mpeg'],
  ['music songs song tracks audio recordings recording', 'mp3 wav flac m4a ogg aac opus wma aiff'],
  ['documents document', 'pdf doc docx odt rtf txt md ppt pptx odp xls xlsx ods epub'],
  ['spreadsheets spreadsheet', 'xls xlsx ods csv tsv'],
  ['presentations presentation slides', 'ppt pptx odp key'],
  ['archives archive', 'zip tar gz tgz bz2 xz 7z rar'],
  ['ebooks ebook', 'epub mobi azw3'],
  ['fonts font', 'ttf otf woff woff2'],
  ['logs', 'log'],
];

/** Kinds that need a word such as "files" after them. */
const ADJECTIVES: readonly (readonly [words: string, extensions: string])[] = [
  ['markdown', 'md markdown mdx'],
  ['text plain-text', 'txt'],
  ['temp temporary', 'tmp temp'],
  ['backup', 'bak backup'],
  ['log', 'log'],
  ['jpeg jpg', 'jpg jpeg'],
  ['excel', 'xls xlsx'],
  ['word', 'doc docx'],
  ['powerpoint', 'ppt pptx'],
  ['yaml yml', 'yaml yml'],
  ['sound', 'mp3 wav flac m4a ogg aac opus wma aiff'],
  ['compressed zipped', 'zip tar gz tgz bz2 xz 7z rar'],
  ['source code source-code program programming', LANGUAGES.map(({ extensions }) => extensions).join(' ')],
  ...LANGUAGES.map(({ words, extensions }) => [words, extensions] as const),
];

/** Other extensions that goals name, as in "cfg files". */
const EXTENSIONS =
  `txt md pdf csv tsv json jsonl ndjson xml toml ini cfg conf env png gif webp heic bmp tiff svg mp3 mp4 wav flac mov
  mkv avi doc docx xls xlsx ppt pptx odt ods rtf epub zip tar gz tgz rar 7z iso tmp bak old orig swp lock map wasm exe
  dll so bin dat db sqlite ipynb tex bib rst adoc po ttf woff patch diff ${LANGUAGES.map(({ extensions }) => extensions).join(' ')}`.split(
    /\s+/,
  );

const BY_NOUN = byWord(NOUNS);
const BY_ADJECTIVE = byWord(ADJECTIVES);
/** The name of a kind by each of its words: the first of them, in the singular. */
const NAMES: ReadonlyMap<string, string> = new Map(
  [...NOUNS, ...ADJECTIVES].flatMap(([words]) => {
    const [first = '', ...others] = words.split(' ');
    return [first, ...others].map((word) => [word, first.replace(/s$/, '')] as const);
  }),
);
const KNOWN: ReadonlySet<string> = new Set(EXTENSIONS);

/** The extensions that a word for files means; undefined when it is not known. */
export function extensionsOf(word: string): readonly string[] | undefined {
  const said = word.toLowerCase();
  const found = BY_NOUN.get(said) ?? BY_ADJECTIVE.get(said);
  if (found) return found;
  if (KNOWN.has(said)) return [said];
  const singular = said.replace(/'?s$/, '');
  return BY_ADJECTIVE.get(singular) ?? (KNOWN.has(singular) ? [singular] : undefined);
}

/** The name of the kind that a word means; undefined for an extension and for other words. */
export function kindOf(word: string): string | undefined {
  return NAMES.get(word) ?? NAMES.get(word.replace(/s$/, ''));
}

/** Whether a word is a kind by itself, as "photos" is, and not only with "files" after it. */
export function isKindNoun(word: string): boolean {
  return BY_NOUN.has(word);
}

/** "pdfs", "csvs": an extension in the plural. */
export function isPluralExtension(word: string): boolean {
  return word.endsWith('s') && KNOWN.has(word.slice(0, -1)) && !KNOWN.has(word);
}

/** A kind in words: "photos", "Python files". */
export function kindWords(name: string): string {
  const plural = NOUNS.map(([words]) => words.split(' ')[0] ?? '').find((word) => word === name || word === `${name}s`);
  return plural ?? `${name} files`;
}

/** The extensions of a kind by its name. */
export function extensionsOfKind(name: string): readonly string[] {
  return extensionsOf(name) ?? extensionsOf(`${name}s`) ?? [];
}

export const CODE_EXTENSIONS: ReadonlyMap<string, string> = new Map(
  LANGUAGES.flatMap(({ name, extensions }) => extensions.split(' ').map((one) => [one, name] as const)),
);

/** The folder that a file belongs in when files are sorted by type. */
export function typeFolderOf(extension: string): string {
  const groups = [
    ['Images', 'photos'],
    ['Videos', 'videos'],
    ['Music', 'music'],
    ['Archives', 'archives'],
    ['Spreadsheets', 'spreadsheets'],
    ['Presentations', 'presentations'],
    ['Documents', 'documents'],
  ] as const;
  const group = groups.find(([, kind]) => BY_NOUN.get(kind)?.includes(extension));
  if (group) return group[0];
  if (CODE_EXTENSIONS.has(extension)) return 'Code';
  if (extension === 'log') return 'Logs';
  return /^(?:json|jsonl|ndjson|xml|ya?ml|toml|sqlite|db)$/.test(extension) ? 'Data' : 'Other';
}

function byWord(kinds: readonly (readonly [string, string])[]): Map<string, readonly string[]> {
  return new Map(
    kinds.flatMap(([words, extensions]) => words.split(' ').map((word) => [word, extensions.split(/\s+/)])),
  );
}
