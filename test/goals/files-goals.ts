import type { GoalRow } from './run-goals.ts';

const JPGS = ['photos/IMG_0001.jpg', 'photos/IMG_0002.jpg', 'photos/IMG_0003.jpg'];
const NO_POLICY = { code: 'agent.goal_not_understood' };

/** Goals about sets of files: finding, counting, measuring, copying, moving, renaming, deleting, packing. */
export const GOALS: readonly GoalRow[] = [
  // Finding and listing
  ['list the files in docs', { facts: { found: 2 }, report: ['docs/guide.md', 'docs/setup.md'] }],
  ['Could you show me all files in the notes folder, please?', { facts: { found: 3 } }],
  ['list everything in photos', { report: ['photos/summer/', 'photos/empty/', 'photos/IMG_0001.jpg'] }],
  ['find all python files', { facts: { found: 2 }, report: 'src/tools/clean.py' }],
  ['find *.log', { facts: { found: 3 } }],
  ['list .jpg and .png files', { facts: { found: 5 } }],
  ['which photos are in photos/summer?', { facts: { found: 2 } }],
  ['find the file report.py', { report: 'src/tools/report.py' }],
  ['where is tide.ts?', { report: 'src/tide.ts' }],
  ['find files called notes', { facts: { found: 2 }, report: ['notes.txt', 'old/notes.txt'] }],
  ['find files whose name starts with IMG_ in photos', { facts: { found: 4 } }],
  ['find files starting with "m" in notes', { facts: { found: 1 }, report: 'notes/monday.md' }],
  ['list files ending in .jsonl', { facts: { found: 1 } }],
  ['find txt files with "note" in the name', { facts: { found: 2 } }],
  ['find empty files', { facts: { found: 1 }, report: 'empty.txt' }],
  ['find empty folders', { report: ['archive/', 'photos/empty/'], facts: { found: 2 } }],
  ['which folders are empty?', { facts: { found: 2 } }],
  ['list the folders in src', { facts: { found: 2 }, report: ['src/native/', 'src/tools/'] }],
  ['find the folder called tools', { report: 'src/tools/' }],
  ['find markdown files except in docs', { not: 'docs/guide.md', facts: { found: 4 } }],
  ['list files in docs, notes and data', { facts: { found: 9 } }],
  ['list files in Photos', { report: 'photos/IMG_0001.jpg' }],
  ['find photos into found.md', { files: { 'found.md': 'photos/summer/beach.png' }, undo: true }],
  // Size, age, order
  [
    'find files larger than 6 kB',
    { report: ['photos/summer/beach.png', 'logs/old.log'], facts: { large: { length: 2 } } },
  ],
  ['find photos over 6kB', { facts: { large: [{ path: 'photos/summer/beach.png', bytes: 7_000 }] } }],
  ['find text files smaller than 20 bytes', { report: 'old/notes.txt', not: 'b.txt' }],
  ["what's the biggest file in photos?", { report: 'The largest file is `photos/summer/beach.png`' }],
  ['show the three smallest photos', { facts: { found: 3 } }],
  ['list files older than 30 days in logs', { facts: { found: 2 }, not: 'app.log' }],
  ['find files that were not modified in the last 6 months', { facts: { found: 3 } }],
  ['which files were modified today?', { not: 'old/a.txt', report: 'README.md' }],
  ['find photos older than a month', { facts: { found: 1 }, report: JPGS[0] as string }],
  ['what is the oldest file?', { report: /The oldest file is `old\/(?:a|notes)\.txt`/ }],
  ['show the 5 newest files', { facts: { found: 5 } }],
  ['list files changed in the last 10 days in docs', { facts: { found: 2 } }],
  ['list files in logs sorted by size', { facts: { large: [{ path: 'logs/old.log' }, {}, {}] } }],
  ['find the 2 largset files in logs', { facts: { large: [{ path: 'logs/old.log' }, {}] } }],
  // Counting
  [
    'how many markdown files are in docs',
    { facts: { count: 2 }, report: 'There are 2 markdown files in `docs`.' },
  ],
  ['how many photos are there?', { facts: { count: 5 } }],
  ['count the files in src', { facts: { count: 5 } }],
  ['How many folders are in photos?', { facts: { count: 2 } }],
  ['how many files are in src and how many in docs', { refused: true }],
  // Space and lines
  ['how much space does photos take?', { facts: { bytes: 25_000, files: 5 } }],
  ['show disk usage by folder', { report: ['| photos | 25.0 kB |', '| logs |'] }],
  ['how big is the logs folder?', { facts: { files: 3 } }],
  ['what are the biggest folders?', { report: '| photos |' }],
  ['count the lines of code by language', { facts: { languages: { TypeScript: 7, Python: 9, C: 6 } } }],
  ['how many lines of code are in src?', { facts: { lines: 22, files: 5 } }],
  ['how many lines are in a.txt', { facts: { lines: 3 } }],
  // Duplicates
  ['find duplicate photos', { facts: { groups: { length: 2 } }, not: 'old/a.txt' }],
  ['duplicates in photos', { facts: { groups: { length: 2 }, wastedBytes: 9_000 } }],
  ['are there any files with the same content?', { facts: { groups: { length: 3 } } }],
  ['delete duplicate photos', { asked: 'keep `photos/IMG_0001.jpg` and delete `photos/IMG_0003.jpg`' }],
  [
    'remove the duplicates in photos',
    {
      answers: ['yes', 'yes'],
      files: { 'photos/IMG_0003.jpg': null, 'photos/summer/IMG_0004.jpg': null },
      undo: true,
    },
  ],
  [
    'delete duplicate photos',
    { answers: ['no'], refused: 'nothing was deleted', code: 'agent.not_confirmed' },
  ],
  // Copying and moving
  ['copy a.txt to backup', { files: { 'backup/a.txt': 'alpha' }, undo: true }],
  ['copy a.txt to c.txt', { files: { 'c.txt': 'alpha' }, undo: true }],
  ['copy a.txt and b.txt into old', { refused: '"old/a.txt" already exists', code: 'files.exists' }],
  [
    'please copy all photos in photos/summer to best',
    { files: { 'best/beach.png': true, 'best/IMG_0004.jpg': true }, undo: true },
  ],
  [
    'copy the folder notes to backup',
    { files: { 'backup/monday.md': true, 'backup/tuesday.md': true, 'backup/ideas.txt': true }, undo: true },
  ],
  [
    'copy notes/ into archive',
    {
      files: {
        'archive/notes/monday.md': true,
        'archive/notes/tuesday.md': true,
        'archive/notes/ideas.txt': true,
      },
      undo: true,
    },
  ],
  [
    'move all .log files into old-logs',
    {
      files: {
        'logs/app.log': null,
        'logs/old.log': null,
        'logs/2026/march.log': null,
        'old-logs/app.log': true,
        'old-logs/old.log': true,
        'old-logs/march.log': true,
      },
      undo: true,
    },
  ],
  ['move notes.txt to notes/', { files: { 'notes.txt': null, 'notes/notes.txt': true }, undo: true }],
  [
    'move the photos in photos/summer to photos',
    {
      files: {
        'photos/summer/beach.png': null,
        'photos/summer/IMG_0004.jpg': null,
        'photos/beach.png': true,
        'photos/IMG_0004.jpg': true,
      },
      undo: true,
    },
  ],
  [
    'copy all markdown files to md',
    { refused: true, ...NO_POLICY, given: { 'docs/monday.md': 'x' }, code: 'agent.not_confirmed' },
  ],
  ['move all .xyz files to archive', { report: 'so nothing was moved', facts: { moved: 0 } }],
  // Renaming
  [
    'rename *.txt to *.text in notes',
    {
      asked: '`notes/ideas.txt` to `notes/ideas.text`',
      answers: ['yes'],
      files: { 'notes/ideas.txt': null, 'notes/ideas.text': true },
      undo: true,
    },
  ],
  [
    'add the prefix trip- to all photos in photos/summer',
    {
      answers: ['yes'],
      files: {
        'photos/summer/beach.png': null,
        'photos/summer/IMG_0004.jpg': null,
        'photos/summer/trip-beach.png': true,
        'photos/summer/trip-IMG_0004.jpg': true,
      },
      undo: true,
    },
  ],
  ['add the suffix -old to all files in old', { asked: '`old/a.txt` to `old/a-old.txt`' }],
  [
    'rename all photos in photos/summer to lower case',
    { asked: '`photos/summer/IMG_0004.jpg` to `photos/summer/img_0004.jpg`' },
  ],
  [
    'replace spaces with underscores in the file names in notes',
    { given: { 'notes/a b c.txt': 'x' }, asked: '`notes/a b c.txt` to `notes/a_b_c.txt`' },
  ],
  [
    'number the photos in photos/summer by name',
    { asked: '`photos/summer/IMG_0004.jpg` to `photos/summer/001-IMG_0004.jpg`' },
  ],
  [
    'change the extension of all .jpg files in photos/summer to .jpeg',
    { asked: '`photos/summer/IMG_0004.jpg` to `photos/summer/IMG_0004.jpeg`' },
  ],
  [
    'rename all .txt files to .md',
    {
      given: { 'a.md': 'x' },
      refused: 'a.txt would become a.md, which is there already',
      code: 'agent.not_confirmed',
    },
  ],
  // Deleting
  [
    'delete all .log files',
    {
      asked: 'logs/app.log',
      answers: ['yes'],
      files: { 'logs/app.log': null, 'logs/old.log': null, 'logs/2026/march.log': null },
      undo: true,
    },
  ],
  ['remove empty folders', { answers: ['yes'], files: { archive: null, 'photos/empty': null }, undo: true }],
  [
    'delete files older than 50 days in logs',
    { asked: 'logs/old.log', answers: ['yes'], files: { 'logs/old.log': null }, undo: true },
  ],
  ['delete a.txt and b.txt', { answers: ['yes'], files: { 'a.txt': null, 'b.txt': null }, undo: true }],
  [
    'delete the folder old',
    { answers: ['yes'], files: { old: null, 'old/a.txt': null, 'old/notes.txt': null }, undo: true },
  ],
  ['delete all .tmp files', { report: 'so nothing was deleted', facts: { deleted: 0 } }],
  ['delete all files', { refused: true }],
  ['delete everything', { refused: true }],
  // Folders
  [
    'create the folders drafts, media and media/2026',
    { files: { drafts: true, media: true, 'media/2026': true }, undo: true },
  ],
  ['make a folder called invoices in data', { files: { 'data/invoices': true }, undo: true }],
  [
    'organise photos by type',
    {
      files: {
        'photos/IMG_0001.jpg': null,
        'photos/IMG_0002.jpg': null,
        'photos/IMG_0003.jpg': null,
        'photos/Images/IMG_0001.jpg': true,
        'photos/Images/IMG_0002.jpg': true,
        'photos/Images/IMG_0003.jpg': true,
      },
      undo: true,
    },
  ],
  // Archives
  ['zip the folder docs into docs.zip', { files: { 'docs.zip': true }, facts: { files: 2 }, undo: true }],
  ['zip all photos', { files: { 'photos.zip': true }, facts: { files: 5 }, undo: true }],
  [
    'create a tar.gz archive of src called src.tar.gz',
    { files: { 'src.tar.gz': true }, facts: { files: 5 }, undo: true },
  ],
  ['unzip absent.zip', { refused: 'absent.zip', code: 'files.not_found' }],
  // Merging
  ['merge all .md files in notes into all.md', { files: { 'all.md': /Monday[\s\S]*Tuesday/ }, undo: true }],
  [
    'combine a.txt and b.txt into c.txt',
    { files: { 'c.txt': 'alpha\nbeta\ngamma\nalpha\nbeta changed\ngamma\ndelta\n' }, undo: true },
  ],
  ['merge all json files into all.json', { refused: 'cannot be joined', code: 'agent.not_confirmed' }],
  // Near misses
  ['find blue files', { refused: true }],
  ['find invoices', { asked: 'search the text files' }],
  ['list files created yesterday', { refused: 'modified last, not when it was created' }],
  ['delete the boring photos', { refused: true }],
  ['copy all photos to the cloud', { refused: true }],
  ['move the best photos to album', { refused: true }],
  ['how many files are in each folder', { refused: true }],
  ['delete all log files except the important ones', { refused: true }],
  ['rename all photos nicely', { refused: true }],
  ['compress the photos to half their size', { refused: true }],
  ['list files in nowhere', { refused: 'nowhere', code: 'files.not_found' }],
  ['find files larger than my house', { refused: true }],
];
