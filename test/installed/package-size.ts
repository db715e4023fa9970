/** The limits for the tarball and for its unpacked content. */
export const MAX_TARBALL_BYTES = 2_500_000;
export const MAX_UNPACKED_BYTES = 9_000_000;
