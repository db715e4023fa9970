// Biome does the ordinary linting; here is only what needs types, and what keeps time, chance and environment behind
// their ports.

import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const behindPorts = [
  ['Date', 'now', 'Take the time from the Clock port.'],
  ['Math', 'random', 'Take chance from the Random port.'],
  ['crypto', 'randomUUID', 'Take ids from the Ids port.'],
  ['crypto', 'getRandomValues', 'Take chance from the Random port.'],
  ['process', 'env', 'Read the environment in src/config.'],
].map(([object, property, message]) => ({ object, property, message }));

export default defineConfig(
  { ignores: ['**/*.{js,mjs,cjs}', 'bench/', 'dist/', 'web/src/api/schema.ts'] },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: [
      'src/adapters/**',
      'src/config/**',
      'src/kernel/system-ports.ts',
      'src/cli/main.ts',
      '**/*.test.ts',
    ],
    rules: {
      'no-restricted-properties': ['error', ...behindPorts],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'Take the time from the Clock port.',
        },
        { selector: 'CallExpression[callee.name="Date"]', message: 'Take the time from the Clock port.' },
      ],
      'no-restricted-imports': [
        'error',
        { name: 'node:process', importNames: ['env'], message: 'Read the environment in src/config.' },
      ],
    },
  },
);
