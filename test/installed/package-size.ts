/** The limits for the tarball and for its unpacked content; the word vectors take 1.2 and 1.5 MB of them. */
export const MAX_TARBALL_BYTES = 4_200_000;
export const MAX_UNPACKED_BYTES = 11_800_000;
