import { expect, test } from 'vitest';
import { problemOf, toProblem } from './problem.ts';

test('a problem has the code, the reason and the next step of the server', () => {
  const body = {
    code: 'run.unknown',
    title: 'Unknown run',
    detail: 'No run ends in abc.',
    next: 'oka runs list',
  };
  expect(problemOf(404, body)).toMatchObject({ status: 404, ...body, message: 'No run ends in abc.' });
});

test('an answer without a problem document still reports its status', () => {
  expect(problemOf(502, undefined)).toMatchObject({
    code: 'http.502',
    title: 'The request failed with status 502',
  });
});

test('a failed connection says how to get a new one', () => {
  expect(toProblem(new TypeError('Failed to fetch'))).toMatchObject({
    code: 'web.unreachable',
    next: 'Run: oka web',
  });
});
