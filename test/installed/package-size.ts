/** The limits for the tarball and for its unpacked content; the word vectors take 1.2 and 1.5 MB of them. */
export const MAX_TARBALL_BYTES = 4_700_000;
export const MAX_UNPACKED_BYTES = 13_500_000;
