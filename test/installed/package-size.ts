/** The limits for the tarball and for its unpacked content. */
export const MAX_TARBALL_BYTES = 2_000_000;
export const MAX_UNPACKED_BYTES = 7_000_000;
