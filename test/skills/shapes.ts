/** One way in which people write skills, and what both programs say to it. */
export interface Shape {
  readonly what: string;
  readonly folder: string;
  /** The file's content; without one the folder is empty. */
  readonly text?: string | Uint8Array;
  /** By default `SKILL.md`. */
  readonly file?: string;
  readonly valid: boolean;
  /** Why the reference says the opposite, where it does. */
  readonly difference?: string;
}

const BODY = '\n# How to\n\nDo one thing, then the next.\n';

function skill(fields: string, body = BODY): string {
  return `---\n${fields.trim()}\n---\n${body}`;
}

function named(folder: string, more = ''): { folder: string; text: string } {
  return {
    folder,
    text: skill(`name: ${folder}\ndescription: Does one thing. Use when it is needed.\n${more}`),
  };
}

const ACCEPTED: readonly Omit<Shape, 'valid'>[] = [
  { what: 'name and description', ...named('plain-skill') },
  { what: 'a name of one letter', ...named('x') },
  { what: 'a name that begins with digits', ...named('2fa-setup') },
  { what: 'a name of digits only', ...named('2024') },
  { what: 'a name of 64 characters', ...named('a'.repeat(64)) },
  { what: 'a name with accents', ...named('résumé-prüfen') },
  { what: 'a name in Cyrillic', ...named('проверка') },
  { what: 'a name in Han', ...named('发票') },
  {
    what: 'a name in quotes with spaces around',
    folder: 'spaced',
    text: skill('name: " spaced "\ndescription: d'),
  },
  {
    what: 'a description in quotes with a colon',
    folder: 'quoted',
    text: skill('name: quoted\ndescription: "Reads: everything"'),
  },
  {
    what: 'a folded description',
    folder: 'folded',
    text: skill('name: folded\ndescription: >\n  Reads forms.\n  Use it for PDF files.'),
  },
  {
    what: 'a literal description',
    folder: 'literal',
    text: skill('name: literal\ndescription: |\n  Reads forms.\n  - also long ones'),
  },
  {
    what: 'a description of 1024 characters',
    folder: 'long',
    text: skill(`name: long\ndescription: ${'d'.repeat(1024)}`),
  },
  {
    what: 'a description with angle brackets',
    folder: 'angles',
    text: skill('name: angles\ndescription: Reads <form> tags & more'),
  },
  {
    what: 'a description with emoji',
    folder: 'emoji',
    text: skill('name: emoji\ndescription: Plants things 🌱 when asked 👩‍🌾'),
  },
  {
    what: 'a description that is a word of YAML',
    folder: 'yes-word',
    text: skill('name: yes-word\ndescription: yes'),
  },
  { what: 'a license by name', ...named('licensed', 'license: Apache-2.0') },
  {
    what: 'a license that points to a file',
    ...named('proprietary', 'license: Proprietary. LICENSE.txt has complete terms'),
  },
  {
    what: 'a compatibility',
    ...named('needy', 'compatibility: Requires git, docker, jq, and access to the internet'),
  },
  { what: 'a compatibility of 500 characters', ...named('needs-much', `compatibility: ${'c'.repeat(500)}`) },
  { what: 'metadata of texts', ...named('versioned', 'metadata:\n  author: example-org\n  version: "1.0"') },
  {
    what: 'metadata of numbers and dates',
    ...named('numbered', 'metadata:\n  version: 1.10\n  created: 2025-01-31\n  stable: true'),
  },
  {
    what: 'metadata with a list of tags',
    ...named('tagged', 'metadata:\n  tags: [pdf, forms]\n  nested:\n    a: b'),
  },
  { what: 'allowed tools with spaces', ...named('tooled', 'allowed-tools: Bash(git:*) Bash(jq:*) Read') },
  { what: 'allowed tools with commas', ...named('comma-tooled', 'allowed-tools: Read, Grep, Glob') },
  {
    what: 'allowed tools as a list',
    ...named('list-tooled', 'allowed-tools:\n  - Read\n  - "Bash(python:*)"'),
  },
  {
    what: 'every field',
    ...named('whole', 'license: MIT\ncompatibility: any\nmetadata:\n  author: me\nallowed-tools: Read'),
  },
  { what: 'a comment in the front matter', ...named('commented', '# written by hand') },
  { what: 'an empty body', folder: 'bodiless', text: skill('name: bodiless\ndescription: d', '') },
  {
    what: 'a rule in the body',
    folder: 'ruled',
    text: skill('name: ruled\ndescription: d', '\none\n\n---\n\ntwo\n'),
  },
  {
    what: 'lines that end as on Windows',
    folder: 'windows',
    text: skill('name: windows\ndescription: d').replaceAll('\n', '\r\n'),
  },
  {
    what: 'spaces after the dashes',
    folder: 'trailing',
    text: '---  \nname: trailing\ndescription: d\n--- \nbody',
  },
  { what: 'a file name in lower case', ...named('lower-file'), file: 'skill.md' },
];

const REFUSED: readonly Omit<Shape, 'valid'>[] = [
  { what: 'no file', folder: 'empty' },
  { what: 'an empty file', folder: 'blank', text: '' },
  { what: 'no front matter', folder: 'bare', text: '# Only a body\n' },
  {
    what: 'a blank line before the front matter',
    folder: 'late',
    text: `\n${skill('name: late\ndescription: d')}`,
  },
  { what: 'a front matter without an end', folder: 'endless', text: '---\nname: endless\ndescription: d\n' },
  { what: 'an empty front matter', folder: 'hollow', text: '---\n---\nbody' },
  { what: 'a front matter that is a list', folder: 'listed', text: skill('- name\n- description') },
  { what: 'a front matter that is one text', folder: 'prose', text: skill('just words') },
  { what: 'YAML that is broken', folder: 'broken', text: skill('name: broken\ndescription: [one, two') },
  {
    what: 'a description with a bare colon',
    folder: 'colon',
    text: skill('name: colon\ndescription: Use when: asked'),
  },
  { what: 'a key given twice', folder: 'twice', text: skill('name: twice\nname: twice\ndescription: d') },
  { what: 'a tag of its own', folder: 'custom', text: skill('name: custom\ndescription: !secret d') },
  { what: 'a byte order mark', folder: 'marked', text: `\ufeff${skill('name: marked\ndescription: d')}` },
  { what: 'no name', folder: 'nameless', text: skill('description: d') },
  { what: 'no description', folder: 'silent', text: skill('name: silent') },
  {
    what: 'a description in quotes that is empty',
    folder: 'mute',
    text: skill('name: mute\ndescription: ""'),
  },
  { what: 'a name with upper case', ...named('Upper-Case') },
  { what: 'a name with an underscore', ...named('snake_case') },
  { what: 'a name with a space', ...named('two words') },
  { what: 'a name with a dot', ...named('v1.2') },
  {
    what: 'a name that begins with a hyphen',
    folder: '-first',
    text: skill('name: "-first"\ndescription: d'),
  },
  { what: 'a name that ends with a hyphen', ...named('last-') },
  { what: 'a name with two hyphens in a row', ...named('two--hyphens') },
  { what: 'a name of 65 characters', ...named('a'.repeat(65)) },
  {
    what: 'a name that climbs out of the folder',
    folder: 'climber',
    text: skill('name: ../climber\ndescription: d'),
  },
  { what: 'a name with a slash', folder: 'slashed', text: skill('name: a/slashed\ndescription: d') },
  {
    what: 'a name that is not the folder’s',
    folder: 'one-name',
    text: skill('name: another-name\ndescription: d'),
  },
  {
    what: 'a description of 1025 characters',
    folder: 'longer',
    text: skill(`name: longer\ndescription: ${'d'.repeat(1025)}`),
  },
  { what: 'a compatibility of 501 characters', ...named('needs-more', `compatibility: ${'c'.repeat(501)}`) },
  { what: 'a compatibility that is a list', ...named('needs-list', 'compatibility: [git, jq]') },
  { what: 'a compatibility without a value', ...named('needs-nothing', 'compatibility:') },
  { what: 'a version beside the other fields', ...named('with-version', 'version: 1.0.0') },
  {
    what: 'a model beside the other fields',
    ...named('with-model', 'model: large\nargument-hint: "[file]"'),
  },
  { what: 'a field in the wrong case', ...named('wrong-case', 'License: MIT') },
  { what: 'a field with an underscore', ...named('underscored', 'allowed_tools: Read') },
];

const DIFFERENT: readonly Shape[] = [
  {
    what: 'a name in Greek',
    ...named('έλεγχος'),
    valid: true,
    difference: 'the format allows Unicode letters; the reference knows only Latin, Cyrillic and Han ones',
  },
  {
    what: 'a name in Hangul',
    ...named('검사'),
    valid: true,
    difference: 'the format allows Unicode letters; the reference knows only Latin, Cyrillic and Han ones',
  },
  {
    what: 'a name with a sign among the Latin letters',
    ...named('two×two'),
    valid: false,
    difference: 'the multiplication sign is no letter; the reference takes its whole block for letters',
  },
  {
    what: 'a name with a mark that nobody sees',
    ...named('un\u034fseen'),
    valid: false,
    difference: 'two names that look the same would be two skills',
  },
  {
    what: 'dashes in a quoted description',
    folder: 'dashes',
    text: skill('name: dashes\ndescription: "Draws --- lines"'),
    valid: true,
    difference: 'the reference ends the front matter at any three dashes, also inside a text',
  },
  {
    what: 'a field on the line of the dashes',
    folder: 'joined',
    text: '---name: joined\ndescription: d\n---\nbody',
    valid: false,
    difference: 'dashes that open a front matter stand alone on their line',
  },
  {
    what: 'a description without a value',
    folder: 'null-description',
    text: skill('name: null-description\ndescription:'),
    valid: false,
    difference: 'the reference reads the missing value as the word null',
  },
  {
    what: 'a description that is a list',
    folder: 'list-description',
    text: skill('name: list-description\ndescription: [one, two]'),
    valid: false,
    difference: 'the reference joins the list to a text; the format says text',
  },
  {
    what: 'an empty compatibility',
    ...named('needs-empty', 'compatibility: ""'),
    valid: false,
    difference: 'the format says 1 to 500 characters; the reference checks only the upper end',
  },
  {
    what: 'a compatibility that is a number',
    ...named('needs-number', 'compatibility: 3'),
    valid: true,
    difference: 'every scalar of the front matter is text to us, as it was written',
  },
  {
    what: 'metadata that is one text',
    ...named('meta-text', 'metadata: author me'),
    valid: false,
    difference: 'the format says keys and texts; the reference does not look',
  },
  {
    what: 'a license that is a map',
    ...named('license-map', 'license:\n  name: MIT'),
    valid: false,
    difference: 'the format says text; the reference does not look',
  },
  {
    what: 'allowed tools that are a map',
    ...named('tool-map', 'allowed-tools:\n  Read: true'),
    valid: false,
    difference: 'the format says a list of names; the reference does not look',
  },
  {
    what: 'an alias',
    ...named('aliased', 'license: &a MIT\ncompatibility: *a'),
    valid: false,
    difference: 'aliases can make a small file huge, and no skill needs them',
  },
  {
    what: 'a description with unseen instructions',
    folder: 'smuggler',
    text: skill('name: smuggler\ndescription: Harmless.\u{e0069}\u{e0067}\u{e006e}'),
    valid: false,
    difference: 'what agents are told first must be what a person sees',
  },
  {
    what: 'a file that is not UTF-8',
    folder: 'latin',
    text: new Uint8Array([
      ...new TextEncoder().encode('---\nname: latin\ndescription: gr'),
      0xfc,
      0xdf,
      0x0a,
      0x2d,
      0x2d,
      0x2d,
      0x0a,
    ]),
    valid: false,
    difference: 'the reference replaces what it cannot read',
  },
  {
    what: 'a file of 300 kilobytes',
    folder: 'heavy',
    text: skill('name: heavy\ndescription: d', 'x'.repeat(300_000)),
    valid: false,
    difference: 'the instructions go into a model’s window whole',
  },
];

export const SHAPES: readonly Shape[] = [
  ...ACCEPTED.map((shape) => ({ ...shape, valid: true })),
  ...REFUSED.map((shape) => ({ ...shape, valid: false })),
  ...DIFFERENT,
];
