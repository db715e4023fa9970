/** The limits for the tarball and for its unpacked content; the word vectors take 1.2 and 1.5 MB of them. */
export const MAX_TARBALL_BYTES = 3_800_000;
export const MAX_UNPACKED_BYTES = 10_600_000;
