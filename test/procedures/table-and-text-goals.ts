/** Goals over tables and texts, and what is read from them. */
export const TABLE_AND_TEXT_GOALS: Readonly<Record<string, readonly (readonly [string, object])[]>> = {
  'table-figures': [
    [
      'total amount by customer in sales.csv',
      {
        file: 'sales.csv',
        question: { ask: 'figures', figures: ['sum'], column: 'amount', group: 'customer' },
      },
    ],
    [
      'what is the average price in products.csv?',
      { file: 'products.csv', question: { ask: 'figures', figures: ['mean'], column: 'price' } },
    ],
    ['how many rows are in x.csv', { file: 'x.csv', question: { ask: 'count', what: 'rows' } }],
    [
      'top 5 customers by revenue in sales.csv',
      {
        file: 'sales.csv',
        question: { ask: 'rank', what: 'customers', by: 'revenue', order: 'most', limit: 5 },
      },
    ],
    [
      'sum the amount column of "my sales.csv" by month into totals.csv',
      {
        file: 'my sales.csv',
        question: { ask: 'figures', figures: ['sum'], column: 'amount column', group: 'month' },
        note: 'totals.csv',
      },
    ],
    [
      'which city has the most rows in people.csv?',
      { file: 'people.csv', question: { ask: 'rank', what: 'city', by: 'rows', order: 'most', limit: 1 } },
    ],
    [
      'how many different cities are there in people.json?',
      { file: 'people.json', question: { ask: 'distinct', column: 'cities' } },
    ],
  ],
  'table-rows': [
    [
      'rows of sales.csv where amount > 100 into big.csv',
      { file: 'sales.csv', task: { where: 'amount > 100' }, note: 'big.csv' },
    ],
    ['only the rows with city Bern from people.csv', { file: 'people.csv', task: { where: 'city Bern' } }],
    [
      'sort people.csv by age descending into sorted.csv',
      { file: 'people.csv', task: { sort: 'age', descending: true }, note: 'sorted.csv' },
    ],
    [
      'please show me the name and age columns of people.csv',
      { file: 'people.csv', task: { columns: 'name and age' } },
    ],
    [
      'remove duplicate rows from people.csv',
      { file: 'people.csv', task: { unique: 'rows', inPlace: true }, note: 'people.csv' },
    ],
    ['the last three rows of sales.csv', { file: 'sales.csv', task: { limit: 3, last: true } }],
    ['filter sales.csv by amount>=200', { file: 'sales.csv', task: { where: 'amount >= 200' } }],
  ],
  'convert-table': [
    ['convert sales.csv to json', { file: 'sales.csv', format: 'json', note: 'sales.json', isNew: true }],
    [
      'turn products.json into a csv file',
      { file: 'products.json', format: 'csv', note: 'products.csv', isNew: true },
    ],
    [
      'export events.jsonl as out/events.csv',
      { file: 'events.jsonl', format: 'csv', note: 'out/events.csv' },
    ],
    [
      'convert the table in notes.md to json lines',
      { file: 'notes.md', format: 'jsonl', note: 'notes.jsonl', isNew: true },
    ],
    ['show people.csv as a markdown table', { file: 'people.csv', format: 'md' }],
    [
      'could you make a json version of people.csv?',
      { file: 'people.csv', format: 'json', note: 'people.json', isNew: true },
    ],
  ],
  'merge-tables': [
    ['merge a.csv and b.csv into all.csv', { files: ['a.csv', 'b.csv'], note: 'all.csv' }],
    ['combine a.csv, b.csv and c.csv', { files: ['a.csv', 'b.csv', 'c.csv'] }],
    [
      'join orders.csv and customers.csv on customer id into full.csv',
      { files: ['orders.csv', 'customers.csv'], note: 'full.csv', key: 'customer id' },
    ],
    ['concatenate jan.csv with feb.csv into year.csv', { files: ['jan.csv', 'feb.csv'], note: 'year.csv' }],
    ['merge the tables a.json and b.json into c.json', { files: ['a.json', 'b.json'], note: 'c.json' }],
    ['append the rows of a.csv to b.csv', { files: ['b.csv', 'a.csv'], note: 'b.csv' }],
  ],
  'check-data-file': [
    ['is config.json valid?', { file: 'config.json' }],
    ['validate config.yaml', { file: 'config.yaml' }],
    ['check whether data.csv is valid', { file: 'data.csv' }],
    ['is settings.yml valid yaml?', { file: 'settings.yml' }],
    ['please validate the file events.jsonl', { file: 'events.jsonl' }],
    ['check the syntax of config.json', { file: 'config.json' }],
  ],
  'count-text': [
    ['how many words are in essay.md', { place: { files: ['essay.md'] }, units: ['words'] }],
    ['how many words are there in notes.txt?', { place: { files: ['notes.txt'] }, units: ['words'] }],
    ['word count of essay.md', { place: { files: ['essay.md'] }, units: ['words'] }],
    [
      'how many characters and lines does notes.txt have?',
      { place: { files: ['notes.txt'] }, units: ['characters', 'lines'] },
    ],
    [
      'how many words are in all markdown files in docs?',
      { place: { folder: 'docs', types: ['md', 'markdown'] }, units: ['words'] },
    ],
    ['count the paragraphs of "my essay.txt"', { place: { files: ['my essay.txt'] }, units: ['paragraphs'] }],
  ],
  'extract-text': [
    [
      'extract all e-mail addresses from contacts.txt',
      { kind: 'emails', place: { files: ['contacts.txt'] } },
    ],
    ['list all links in docs', { kind: 'links', place: { folder: 'docs' } }],
    [
      'find all dates in notes.txt into dates.csv',
      { kind: 'dates', place: { files: ['notes.txt'] }, note: 'dates.csv' },
    ],
    ['show the headings of README.md', { kind: 'headings', place: { files: ['README.md'] } }],
    ['how many urls are in all .md files?', { kind: 'links', place: { folder: '.', types: ['md'] } }],
    ['which email addresses are in contacts.txt?', { kind: 'emails', place: { files: ['contacts.txt'] } }],
  ],
  'format-json': [
    ['format data.json', { file: 'data.json', note: 'data.json' }],
    ['pretty-print data.json', { file: 'data.json' }],
    ['prettify config/app.json', { file: 'config/app.json', note: 'config/app.json' }],
    ['indent data.json into nice.json', { file: 'data.json', note: 'nice.json' }],
    ['reformat data.json', { file: 'data.json', note: 'data.json' }],
    ['please tidy up data.json', { file: 'data.json', note: 'data.json' }],
  ],
  'json-value': [
    ['what is the version in package.json', { file: 'package.json', key: 'version' }],
    ['show the scripts in package.json', { file: 'package.json', key: 'scripts' }],
    ['get scripts.test from package.json', { file: 'package.json', key: 'scripts.test' }],
    ['what\'s the value of "api url" in config.json?', { file: 'config.json', key: 'api url' }],
    ['which dependencies are in package.json?', { file: 'package.json', key: 'dependencies' }],
    ['tell me the name in package.json', { file: 'package.json', key: 'name' }],
  ],
  'log-errors': [
    ['what errors are in app.log', { place: { files: ['app.log'] }, levels: ['errors'] }],
    [
      'count the errors by hour in app.log',
      { place: { files: ['app.log'] }, levels: ['errors'], by: 'hour' },
    ],
    ['how many warnings are in logs/app.log?', { place: { files: ['logs/app.log'] }, levels: ['warnings'] }],
    [
      'show errors and warnings in app.log',
      { place: { files: ['app.log'] }, levels: ['errors', 'warnings'] },
    ],
    [
      'list all exceptions in app.log into errors.md',
      { place: { files: ['app.log'] }, levels: ['errors'], note: 'errors.md' },
    ],
    ['are there errors in server.log?', { place: { files: ['server.log'] }, levels: ['errors'] }],
  ],
  'outline-markdown': [
    ['make a table of contents of README.md', { file: 'README.md' }],
    ['show the outline of docs/guide.md', { file: 'docs/guide.md' }],
    ['create a toc of README.md into toc.md', { file: 'README.md', note: 'toc.md' }],
    ['give me the table of contents of guide.md', { file: 'guide.md' }],
    ['please generate a table of contents for README.md', { file: 'README.md' }],
    ['outline of "my notes.md"', { file: 'my notes.md' }],
  ],
  'replace-text': [
    [
      'replace foo with bar in all markdown files',
      { place: { folder: '.', types: ['md', 'markdown'] }, old: 'foo', 'new': 'bar', words: true },
    ],
    [
      'replace "old name" with "new name" in docs',
      { place: { folder: 'docs' }, old: 'old name', 'new': 'new name' },
    ],
    [
      'in README.md, replace colour with color',
      { place: { files: ['README.md'] }, old: 'colour', 'new': 'color', words: true },
    ],
    [
      'search for foo and replace it with bar in notes.txt',
      { place: { files: ['notes.txt'] }, old: 'foo', 'new': 'bar', words: true },
    ],
    [
      'preview replacing foo with bar in *.txt files',
      { place: { folder: '.', types: ['txt'] }, old: 'foo', 'new': 'bar', words: true, preview: true },
    ],
    ['change "v1" to "v2" in docs/guide.md', { place: { files: ['docs/guide.md'] }, old: 'v1', 'new': 'v2' }],
  ],
  'text-lines': [
    ['show the last 20 lines of app.log', { file: 'app.log', task: { do: 'last', amount: 20 } }],
    ['first ten lines of README.md', { file: 'README.md', task: { do: 'first', amount: 10 } }],
    [
      'sort the lines of list.txt into sorted.txt',
      { file: 'list.txt', task: { do: 'sort', descending: false }, note: 'sorted.txt' },
    ],
    ['remove blank lines from list.txt', { file: 'list.txt', task: { do: 'filled' }, note: 'list.txt' }],
    [
      'remove duplicate lines from list.txt into unique.txt',
      { file: 'list.txt', task: { do: 'unique' }, note: 'unique.txt' },
    ],
    ['show lines 3 to 5 of main.ts', { file: 'main.ts', task: { do: 'range', from: 3, to: 5 } }],
  ],
};
