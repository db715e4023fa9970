import type { GoalRow } from './run-goals.ts';

const PEOPLE = {
  'people.csv':
    'name,age,Home Town,email\nAda,36,Bern,ada@x.example\nBo,25,Oslo,\nCy,41,Bern,cy@x.example\nAda,36,Bern,ada@x.example\n',
};
const EURO = { 'euro.csv': 'item;price\r\n"tea; green";1.234,50 €\r\nmilk;0,10 €\r\nbread;n/a\r\n' };
const MONEY = { 'money.csv': '\ufeffwhat,amount\nrent,"$1,234.50"\nfood,0.1\nfun,0.2\nother,unknown\n' };
const RAGGED = { 'ragged.csv': 'a,b\n1,2\n3\n4,5,6\n' };
const PARTS = {
  'one.csv': 'id,name\n1,A\n2,B\n',
  'two.csv': 'name,id\nC,3\n',
  'totals.csv': 'id,total\n1,10\n3,30\n',
};
const PACKAGE = {
  'package.json': '{"name":"demo","version":"1.2.3","scripts":{"test":"vitest","build":"tsc"},"size":1.0}',
};
const LIST = { 'list.txt': 'pear\napple\n\npear\nfig\n' };
const LOG = {
  'day.log':
    '2026-05-01 10:05:00 ERROR disk full\n2026-05-01 10:06:00 WARN slow\n2026-05-01 11:00:00 ERROR disk full\n2026-05-01 11:10:00 INFO no errors\n',
};
const COLOURS = {
  'c/one.md': 'colour and colours\nColour\n',
  'c/two.txt': 'colour\n',
  'c/deep/three.md': 'a colour\n',
};

/** Figures of tables. */
const FIGURES: readonly GoalRow[] = [
  [
    'total units by product in data/sales.csv',
    { report: ['| tea | 45 | 3 |', '| coffee | 11 | 2 |', 'together 59'] },
  ],
  ['what is the average price in data/sales.csv', { facts: { mean: '4.441667', counted: 6 } }],
  ['What is the average of the price column of data/sales.csv?', { facts: { mean: '4.441667' } }],
  ['how many rows are in data/sales.csv', { facts: { count: 6 }, report: 'has 6 rows and 5 columns' }],
  ['how many rows does data/sales.csv have?', { facts: { count: 6 } }],
  [
    'count the rows of data/sales.csv by region',
    { report: ['| north | 3 |', '| south | 2 |', '| east | 1 |'] },
  ],
  [
    'top two products by units in data/sales.csv',
    { report: ['| tea | 45 | 3 |', 'added up for each'], not: 'cocoa' },
  ],
  [
    'sum the units column of data/sales.csv by month',
    { report: ['| 2026-01 | 14 | 2 |', '| 2026-03 | 18 | 2 |'] },
  ],
  ['in data/sales.csv, what is the total of units per region?', { report: '| north | 20 | 3 |' }],
  ['please calculate the median units in data/sales.csv', { facts: { median: '8.5' } }],
  ['what is the highest price in data/sales.csv', { facts: { max: '7' } }],
  ['min and max of units in data/sales.csv', { facts: { min: '3', max: '20' } }],
  [
    'which product has the highest total units in data/sales.csv?',
    { report: '`tea` has the largest `total units`: 45' },
  ],
  ['who has the highest age in data/people.json?', { report: '`Anna` has the largest `age`: 41' }],
  ['most common city in data/people.json', { report: 'is `Bern`, in 2 rows' }],
  ['list the unique regions in data/sales.csv', { facts: { distinct: 3 } }],
  ['how many different products are there in data/sales.csv?', { facts: { distinct: 3 } }],
  ['average age by city in data/people.json', { report: ['| Bern | 38 | 2 |', '| Oslo | 29 | 1 |'] }],
  ['average depth in data/ports.md', { facts: { mean: '10.5' } }],
  ['how many rows of data/events.jsonl have kind open', { facts: { count: 1 } }],
  ['total units for tea in data/sales.csv', { facts: { sum: '45' }, report: '3 of 6 rows fit: tea' }],
  ['what is the total units in data/sales.csv where price > 5 and region is north', { facts: { sum: '10' } }],
  [
    'summarise data/sales.csv by region',
    { report: ['| region | rows | total units | average units |', '| east | 1 | 20 | 20 |'] },
  ],
  ['what is the latest date in data/sales.csv', { facts: { max: '2026-03-20' } }],
  [
    'what is the total amount in money.csv',
    { given: MONEY, facts: { sum: '1234.8' }, report: ['$1234.8', 'left out: 1 value', '`unknown`'] },
  ],
  [
    'sum of price in euro.csv',
    {
      given: EURO,
      facts: { sum: '1234.6' },
      report: ['left out: 1 row without a value', '1.234,50 was read as 1234.50'],
    },
  ],
  [
    'total units by product in data/sales.csv into totals.csv',
    { files: { 'totals.csv': 'product,total units,rows\ntea,45,3\ncoffee,11,2\ncocoa,3,1\n' }, undo: true },
  ],
  ['avarage price in data/sales.csv', { facts: { mean: '4.441667' } }],
];

/** Rows and columns of tables. */
const ROWS: readonly GoalRow[] = [
  [
    'rows of data/sales.csv where units > 9 into big.csv',
    {
      facts: { rows: 3, of: 6 },
      files: { 'big.csv': /^date,region,product,units,price\n2026-01-05.*\n2026-02-14.*\n2026-03-01.*\n$/ },
      undo: true,
    },
  ],
  ['only the rows with home town Bern from people.csv', { given: PEOPLE, facts: { rows: 3 } }],
  ['show people.csv without empty email', { given: PEOPLE, facts: { rows: 3 }, not: '| Bo |' }],
  [
    'which people in people.csv have no email?',
    { given: PEOPLE, facts: { rows: 1 }, report: '| Bo | 25 | Oslo |' },
  ],
  [
    'sort people.csv by age descending into sorted.csv',
    { given: PEOPLE, files: { 'sorted.csv': /^name,age,Home Town,email\nCy,.*\nAda,.*\nAda,.*\nBo,.*\n$/ } },
  ],
  ['sort data/sales.csv by date, newest first', { report: /2026-03-20[\s\S]*2026-01-05/ }],
  ['show the product and units columns of data/sales.csv', { report: '| tea | 10 |', not: 'north' }],
  [
    'select name and age from people.csv into names.json',
    { given: PEOPLE, files: { 'names.json': /"age": 36/ } },
  ],
  ['the first two rows of data/sales.csv', { facts: { rows: 2 } }],
  [
    'remove duplicate rows from people.csv into unique.csv',
    { given: PEOPLE, facts: { rows: 3 }, files: { 'unique.csv': /^(?:.*\n){4}$/ }, undo: true },
  ],
  [
    'remove duplicate rows from people.csv',
    { given: PEOPLE, report: 'has 3 rows now', files: { 'people.csv': /^(?:.*\n){4}$/ }, undo: true },
  ],
  ['find duplicate emails in people.csv', { given: PEOPLE, facts: { rows: 2 } }],
  [
    'delete the rows with empty email from people.csv',
    { given: PEOPLE, files: { 'people.csv': /^(?:.*\n){4}$/ }, undo: true },
  ],
  ['rows of data/sales.csv where date is after 2026-02-10', { facts: { rows: 3 } }],
  ['show rows of data/sales.csv with units between 4 and 10', { facts: { rows: 3 } }],
  [
    'rows of data/sales.csv where region is Mars into mars.csv',
    { facts: { rows: 0 }, report: '`mars.csv` was not written' },
  ],
  [
    'show ragged.csv as a table',
    { given: RAGGED, report: ['| 4 | 5 | 6 |', '2 rows with another number of cells'] },
  ],
];

/** Other formats, and several tables. */
const CONVERSIONS: readonly GoalRow[] = [
  [
    'convert data/sales.csv to json',
    {
      facts: { rows: 6, columns: 5 },
      files: { 'data/sales.json': /"units": 10,\n {4}"price": 2\.5/ },
      undo: true,
    },
  ],
  [
    'convert data/people.json to csv',
    { files: { 'data/people.csv': 'name,age,city\nAnna,41,Bern\nBo,29,Oslo\nChen,35,Bern\n' } },
  ],
  [
    'export data/events.jsonl as csv',
    { files: { 'data/events.csv': 'kind,at\nopen,2026-01-01\nclose,2026-01-02\n' } },
  ],
  [
    'turn data/ports.md into json lines',
    { files: { 'data/ports.jsonl': '{"name":"east","depth":12}\n{"name":"west","depth":9}\n' } },
  ],
  [
    'convert data/sales.csv to a markdown table',
    { files: { 'data/sales.md': /^\| date \| region \| product \| units \| price \|\n\|---\|/ } },
  ],
  ['convert data/people.json to out/people.md', { files: { 'out/people.md': /\| Anna \| 41 \| Bern \|/ } }],
  ['show data/events.jsonl as json', { report: '"kind": "open"' }],
  [
    'convert data/people.json to csv ',
    { given: { 'data/people.csv': 'mine\n' }, refused: 'data/people.csv exists already' },
  ],
  [
    'convert data/people.json to data/people.csv',
    { given: { 'data/people.csv': 'mine\n' }, files: { 'data/people.csv': /^name,age,city\n/ }, undo: true },
  ],
  [
    'merge one.csv and two.csv into all.csv',
    { given: PARTS, facts: { rows: 3 }, files: { 'all.csv': 'id,name\n1,A\n2,B\n3,C\n' }, undo: true },
  ],
  [
    'join one.csv and totals.csv on id into joined.csv',
    {
      given: PARTS,
      report: ['1 row of one.csv without', '1 row of totals.csv left out'],
      files: { 'joined.csv': 'id,name,total\n1,A,10\n2,B,\n' },
    },
  ],
  [
    'append the rows of one.csv to two.csv',
    { given: PARTS, files: { 'two.csv': 'name,id\nC,3\nA,1\nB,2\n' }, undo: true },
  ],
];

/** The content of text files. */
const TEXTS: readonly GoalRow[] = [
  [
    'replace "colour" with "color" in all markdown files in c',
    {
      given: COLOURS,
      facts: { replaced: 3 },
      report: ['line 1: `colour and colours` → `color and colors`', '1 more with other capital letters'],
      files: { 'c/one.md': 'color and colors\nColour\n', 'c/deep/three.md': 'a color\n' },
      undo: true,
    },
  ],
  [
    'replace colour with color in c',
    {
      given: COLOURS,
      facts: { replaced: 3 },
      report: '1 inside longer words was not touched',
      files: {
        'c/one.md': 'color and colours\nColour\n',
        'c/two.txt': 'color\n',
        'c/deep/three.md': 'a color\n',
      },
    },
  ],
  [
    'search for colour and replace it with color in c/two.txt',
    { given: COLOURS, files: { 'c/two.txt': 'color\n' } },
  ],
  ['preview replacing colour with color in c', { given: COLOURS, facts: { replaced: 0, found: 3 } }],
  ['replace xyzzy with plugh in c', { given: COLOURS, facts: { replaced: 0 }, report: 'does not occur' }],
  ['extract all e-mail addresses from README.md', { facts: { values: ['office@harbour.example'] } }],
  ['find all emails in notes into emails.txt', { files: { 'emails.txt': 'anna@example.org\n' } }],
  [
    'list all links in README.md',
    { facts: { found: 3 }, report: ['`docs/missing.md`', '`https://harbour.example/help`'] },
  ],
  ['how many links are in README.md?', { facts: { found: 3 } }],
  ['find all dates in notes', { facts: { values: ['2026-02-14'] }, report: 'notes/tuesday.md' }],
  ['show the headings of docs/guide.md', { report: '`Guide` (line 1)' }],
  ['how many words are in notes/ideas.txt', { facts: { words: 6 } }],
  ['word count of notes/ideas.txt', { facts: { words: 6 } }],
  ['how many lines and characters does a.txt have?', { facts: { lines: 3, characters: 17 } }],
  ['count the words in all markdown files in notes', { facts: { files: 2 } }],
  ['show the last two lines of a.txt', { report: 'beta\ngamma', not: 'alpha' }],
  ['show the first line of b.txt', { report: 'alpha', not: 'beta' }],
  [
    'sort the lines of list.txt into sorted.txt',
    { given: LIST, files: { 'sorted.txt': '\napple\nfig\npear\npear\n' } },
  ],
  [
    'remove blank lines from list.txt',
    { given: LIST, files: { 'list.txt': 'pear\napple\npear\nfig\n' }, undo: true },
  ],
  [
    'remove duplicate lines from list.txt into unique.txt',
    { given: LIST, files: { 'unique.txt': 'pear\napple\n\nfig\n' } },
  ],
  ['which lines occur more than once in list.txt', { given: LIST, report: '2 × pear' }],
  ['show duplicate lines in list.txt', { given: LIST, report: '2 × pear' }],
  ['make a table of contents of docs/setup.md', { report: '- [Setup](#setup)' }],
  [
    'what errors are in day.log',
    { given: LOG, facts: { found: 2, groups: 1 }, report: '| 2 | ERROR disk full | 1 |' },
  ],
  [
    'count the errors in day.log by hour',
    { given: LOG, report: ['| 2026-05-01 10 | 1 |', '| 2026-05-01 11 | 1 |'] },
  ],
  ['how many warnings are in day.log?', { given: LOG, facts: { found: 1 } }],
  ['what is the version in package.json', { given: PACKAGE, facts: { value: '1.2.3' } }],
  [
    'show the scripts in package.json',
    { given: PACKAGE, facts: { value: { test: 'vitest', build: 'tsc' } } },
  ],
  ['get scripts.test from package.json', { given: PACKAGE, facts: { value: 'vitest' } }],
  [
    'format package.json',
    {
      given: PACKAGE,
      files: { 'package.json': /^\{\n {2}"name": "demo",[\s\S]*"size": 1\.0\n\}\n$/ },
      undo: true,
    },
  ],
  ['is package.json valid?', { given: PACKAGE, facts: { valid: true } }],
  [
    'is broken.json valid json?',
    { given: { 'broken.json': '{\n  "a": 1,\n}\n' }, facts: { valid: false }, report: 'line 3, column 1' },
  ],
  ['validate bad.yaml', { given: { 'bad.yaml': 'a: [1\nb: 2\n' }, facts: { valid: false } }],
  ['validate ragged.csv', { given: RAGGED, facts: { valid: false }, report: 'line 3' }],
];

/** Goals that are near these, and must not be done as if they were understood. */
const NEAR_MISSES: readonly GoalRow[] = [
  [
    'total unitz by product in data/sales.csv',
    { refused: 'Did you mean "units"? Its columns are "date", "region"' },
  ],
  ['what is the total weight in data/sales.csv', { refused: 'has no column "weight"' }],
  ['what is the average region in data/sales.csv', { refused: 'cannot be read as numbers' }],
  [
    'total amount in mixed.csv',
    { given: { 'mixed.csv': 'amount\n$5\n€7\n' }, refused: 'numbers of one kind' },
  ],
  [
    'total weight in decimals.csv',
    { given: { 'decimals.csv': 'item;weight\na;1,234\nb;2,345\n' }, refused: 'numbers of one kind' },
  ],
  ['rows of data/sales.csv where units > lots', { refused: '"lots" is not a number' }],
  ['rows of data/sales.csv where units roughly 10', { refused: true }],
  ['rows of data/sales.csv where colour is red', { refused: 'has no column "colour"' }],
  ['convert data/sales.csv to excel', { refused: true }],
  ['convert package.json to csv', { given: PACKAGE, refused: 'not a list of objects' }],
  ['merge data/sales.csv and data/people.json into all.csv', { refused: 'different columns' }],
  ['join one.csv and two.csv on price', { given: PARTS, refused: 'no column "price"' }],
  ['replace the logo in README.md with a new one', { refused: true }],
  ['change version to 2.0.0 in package.json', { given: PACKAGE, refused: true }],
  ['what is the licence in package.json', { given: PACKAGE, refused: 'Its keys are "name", "version"' }],
  ['extract all phone numbers from README.md', { refused: true }],
  ['add a table of contents to README.md', { refused: true }],
  ['translate notes.txt to French', { refused: true }],
  ['format broken.json', { given: { 'broken.json': '{"a": 1,}' }, refused: 'not valid JSON: line 1' }],
  ['how many rows are in data/missing.csv', { refused: true, code: 'files.not_found' }],
  ['forecast the units of data/sales.csv for next month', { refused: true }],
];

export const GOALS: readonly GoalRow[] = [...FIGURES, ...ROWS, ...CONVERSIONS, ...TEXTS, ...NEAR_MISSES];
