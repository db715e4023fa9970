/** The limit for the tarball and for its unpacked content. */
export const MAX_PACKAGE_BYTES = 6_000_000;
