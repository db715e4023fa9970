// Owns: what the output of a read-only git command says. The texts of commits are untrusted.
import type { JsonObject } from '../../kernel/index.ts';
import { plainLine } from '../describe-text.ts';
import { cell, code, count, groupBy, more } from './markdown-text.ts';
import type { Report } from './report-procedure.ts';

export type GitQuestion = 'status' | 'history' | 'authors' | 'branches';

export interface GitReport extends Pick<Report, 'answer' | 'sections'> {
  readonly facts: JsonObject;
}

interface Asked {
  readonly period?: string | undefined;
  readonly limit: number;
}

const SHOWN_COMMITS = 20;
const SHOWN_FILES = 100;
const STATES: Readonly<Record<string, string>> = {
  M: 'changed',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  U: 'in conflict',
  T: 'changed in type',
  '?': 'not tracked',
};

export function reportOf(about: GitQuestion, output: string, asked: Asked): GitReport {
  const lines = output.split('\n').filter((line) => line !== '');
  switch (about) {
    case 'status':
      return statusReport(lines);
    case 'authors':
      return authorsReport(lines);
    case 'branches':
      return branchesReport(lines);
    default:
      return historyReport(lines, asked);
  }
}

function statusReport(lines: readonly string[]): GitReport {
  const head = lines.find((line) => line.startsWith('## '))?.slice(3) ?? '';
  const branch = head.replace(/^No commits yet on /, '').split('...')[0] ?? '';
  const files = lines
    .filter((line) => !line.startsWith('## '))
    .map((line) => ({
      path: line.slice(3),
      state: STATES[line.slice(0, 2).trim()[0] ?? ''] ?? 'changed',
      staged: !/^[ ?]/.test(line),
    }));
  const counted = [...groupBy(files, ({ state }) => state)].map(
    ([state, found]) => `${found.length} ${state}`,
  );
  const ahead = /\[(.+)\]$/.exec(head)?.[1];
  return {
    answer:
      (files.length === 0
        ? `Nothing is changed since the last commit on ${code(branch)}.`
        : `${count(files.length, 'file')} not committed on ${code(branch)}: ${counted.join(', ')}.`) +
      (ahead === undefined ? '' : ` The branch is ${ahead} of its remote.`),
    sections: [
      {
        title: 'Files',
        lines: [
          ...files
            .slice(0, SHOWN_FILES)
            .map(({ path, state, staged }) => `- ${code(path)}: ${state}${staged ? ', staged' : ''}`),
          ...more(files.length - SHOWN_FILES, 'file'),
        ],
      },
    ],
    facts: { branch, changed: files.length, files: files.slice(0, 50) },
  };
}

function historyReport(lines: readonly string[], { period, limit }: Asked): GitReport {
  const commits = lines.map((line) => {
    const [id = '', date = '', author = '', ...subject] = line.split('\t');
    return { id, date, author, subject: plainLine(subject.join(' '), 120) };
  });
  const when = period === undefined ? '' : ` ${period}`;
  const [newest] = commits;
  const oldest = commits.at(-1);
  const authors = [...groupBy(commits, ({ author }) => author)].sort(([, a], [, b]) => b.length - a.length);
  const capped = commits.length === limit ? 'the newest ' : '';
  return {
    answer:
      newest === undefined || oldest === undefined
        ? `No commits${when}.`
        : `${capped}${count(commits.length, 'commit')}${when} by ${count(authors.length, 'author')}, from ${oldest.date} to ${newest.date}.`.replace(
            /^t/,
            'T',
          ),
    sections: [
      {
        title: 'Authors',
        lines: authors
          .slice(0, 20)
          .map(([author, own]) => `- ${cell(author)}: ${count(own.length, 'commit')}`),
      },
      {
        title: 'Commits',
        lines: [
          ...commits
            .slice(0, SHOWN_COMMITS)
            .map(
              ({ id, date, author, subject }) =>
                `- ${date} ${code(id)} ${cell(author)}: ${cell(subject, 120)}`,
            ),
          ...more(commits.length - SHOWN_COMMITS, 'commit'),
        ],
      },
    ],
    facts: {
      commits: commits.length,
      authors: Object.fromEntries(authors.slice(0, 20).map(([author, own]) => [author, own.length])),
      ...(newest === undefined ? {} : { newest }),
    },
  };
}

function authorsReport(lines: readonly string[]): GitReport {
  const authors = lines.map((line) => {
    const [commits = '0', name = ''] = line.trim().split('\t');
    return { name: plainLine(name, 80), commits: Number(commits) };
  });
  const total = authors.reduce((sum, { commits }) => sum + commits, 0);
  const [first] = authors;
  return {
    answer:
      first === undefined
        ? 'There are no commits.'
        : `${first.name} made most of the ${count(total, 'commit')}: ${first.commits}. Git counts commits here, not lines.`,
    sections: [
      {
        title: 'Authors by commits',
        lines: authors.slice(0, 50).map(({ name, commits }) => `- ${cell(name)}: ${commits}`),
      },
    ],
    facts: { commits: total, authors: authors.slice(0, 50) },
  };
}

function branchesReport(lines: readonly string[]): GitReport {
  const branches = lines.map((line) => {
    const [head = '', name = '', date = '', ...subject] = line.split('\t');
    return { name, date, current: head === '*', subject: plainLine(subject.join(' '), 100) };
  });
  const current = branches.find((branch) => branch.current)?.name ?? null;
  return {
    answer: `${count(branches.length, 'branch').replace(/branchs$/, 'branches')}; ${current === null ? 'none is checked out' : `${code(current)} is checked out`}.`,
    sections: [
      {
        title: 'Branches',
        lines: branches
          .slice(0, 100)
          .map(
            ({ name, date, current: is, subject }) =>
              `- ${code(name)}${is ? ' (current)' : ''}, ${date}: ${cell(subject, 100)}`,
          ),
      },
    ],
    facts: { current, branches: branches.slice(0, 50).map(({ name }) => name) },
  };
}
