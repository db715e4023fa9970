import { lazyCrypto } from './digest.ts';
import type { Clock, Ids, Random } from './ports.ts';

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The system clock. Splits waits that exceed the limit of setTimeout. */
export const systemClock: Clock = {
  now: () => Date.now(),
  callAt(at, callback, options) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const left = at - Date.now();
      timer = setTimeout(left > MAX_TIMEOUT_MS ? arm : callback, Math.max(0, Math.min(left, MAX_TIMEOUT_MS)));
      if (options?.background) timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
};

const POOL_BYTES = 4_096;
let pool = '';
let used = 0;

/** Cryptographic randomness, read from the system one page at a time. */
export const systemRandom: Random = {
  next: () => Number.parseInt(systemRandom.hex(6), 16) / 2 ** 48,
  hex(length) {
    const digits = length * 2;
    if (length > POOL_BYTES) return freshHex(length);
    if (used + digits > pool.length) {
      pool = freshHex(POOL_BYTES);
      used = 0;
    }
    used += digits;
    return pool.slice(used - digits, used);
  },
};

function freshHex(length: number): string {
  return lazyCrypto().randomBytes(length).toString('hex');
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/** Lower-case ULIDs: 48 bits of time, 80 random bits. Within a millisecond, or when the clock goes back, each increments. */
export function sortableIds(clock: Clock, random: Random): Ids {
  let lastAt = -1;
  let time = '';
  let randomDigits: number[] = [];
  return {
    next() {
      const now = clock.now();
      if (now > lastAt) {
        lastAt = now;
        time = encodeTime(now);
        randomDigits = Array.from({ length: RANDOM_CHARACTERS }, () =>
          Math.floor(random.next() * ALPHABET.length),
        );
        // Clears the top bit, so that incrementing cannot overflow.
        randomDigits[0] = (randomDigits[0] as number) >> 1;
      } else increment(randomDigits);
      return time + randomDigits.map((digit) => ALPHABET[digit]).join('');
    },
  };
}

const ID = new RegExp(`^[${ALPHABET}]{${TIME_CHARACTERS + RANDOM_CHARACTERS}}$`);

/** The id that follows from a key: the key itself if it is an id, and otherwise one made of its digest. */
export function idOfKey(key: string): string {
  if (ID.test(key)) return key;
  const bytes = lazyCrypto().createHash('sha256').update(key).digest();
  return Array.from(
    bytes.subarray(0, TIME_CHARACTERS + RANDOM_CHARACTERS),
    (byte) => ALPHABET[byte % 32],
  ).join('');
}

function encodeTime(at: number): string {
  let text = '';
  for (let rest = at, i = 0; i < TIME_CHARACTERS; i++, rest = Math.floor(rest / ALPHABET.length)) {
    text = ALPHABET[rest % ALPHABET.length] + text;
  }
  return text;
}

function increment(digits: number[]): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    const digit = (digits[i] as number) + 1;
    digits[i] = digit % ALPHABET.length;
    if (digit < ALPHABET.length) return;
  }
}
