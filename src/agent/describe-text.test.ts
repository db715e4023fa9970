import { describe, expect, it } from 'vitest';
import { firstParagraph, headline, plainLine, titleOf } from './describe-text.ts';

describe('describing a document', () => {
  it.each([
    ['# Title #\n\ntext', 'Title'],
    ['## Second\n# First', 'First'],
    ['Title\n=====\n', 'Title'],
    ['<h1 align="center">Title</h1>', 'Title'],
    ['# [Title](https://example.com) ![x](y)\n', 'Title'],
    ['---\nname: "# no"\n---\n```\n# no\n```\n# Yes', 'Yes'],
    ['no title', undefined],
  ])('finds the title of %j', (markdown, title) => {
    expect(titleOf(markdown)).toBe(title);
  });

  it.each([
    ['# T\n\nOne\ntwo.\n\nThree.', 'One two.'],
    ['[![b](x)](y)\n\n- list\n\n> quote\n\n| t |\n\nProse [here](x).', 'Prose here.'],
    ['<!-- no -->\n<p>no</p>\n\n```\nno\n```\n\n**Yes**, it is.', '**Yes**, it is.'],
    ['Title\n===\r\n\r\nYes.', 'Yes.'],
    ['# only', undefined],
    ['', undefined],
  ])('finds the first paragraph of %j', (markdown, paragraph) => {
    expect(firstParagraph(markdown)).toBe(paragraph);
  });

  it.each([
    ['#!/bin/sh\n# Starts it.\nrun', 'Starts it.'],
    ['/*\n * Owns: x.\n */', 'Owns: x.'],
    ['"""Does it."""\nimport x', 'Does it.'],
    ['import x;\n/** Runs it. */\nrun();', 'Runs it.'],
    ['export const a = 1;\nexport { b, type C, d as e } from "./x";', 'exports a, b, C, e'],
    ['"use strict";\nrun();', 'run();'],
    ['#include <x>', '#include <x>'],
    ['\n\n', undefined],
  ])('finds the headline of the source %j', (source, says) => {
    expect(headline(source)).toBe(says);
  });

  it('makes one clean line', () => {
    expect(plainLine(' a\n\tb\u202e\u0007c\u200b ', 10)).toBe('a bc');
    expect(plainLine('😀😀', 3)).toBe('😀\ufffd…');
  });
});
