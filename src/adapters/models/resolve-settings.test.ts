import { expect, it } from 'vitest';
import { ollamaAddress } from './resolve-settings.ts';

it.each([
  ['', 'http://127.0.0.1:11434/api'],
  ['0.0.0.0', 'http://127.0.0.1:11434/api'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080/api'],
  [':8080', 'http://127.0.0.1:8080/api'],
  ['box', 'http://box:11434/api'],
  ['box:80', 'http://box/api'],
  ['[::1]:9', 'http://[::1]:9/api'],
  ['http://box', 'http://box/api'],
  ['https://models.example/', 'https://models.example/api'],
  ['https://models.example/ollama', 'https://models.example/ollama/api'],
  ['http://box:11434/api/', 'http://box:11434/api'],
])('maps "%s" to %s', (host, address) => {
  expect(ollamaAddress(host)).toBe(address);
});
