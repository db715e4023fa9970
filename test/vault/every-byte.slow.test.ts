import { it } from 'vitest';
import { flipBytes } from './flip-bytes.ts';

it('a vault file reports every flipped byte, and names what it has cost', () => flipBytes(1));
