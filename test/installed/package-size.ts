/** The limits for the tarball and for its unpacked content. SQLite for six platforms takes 7.2 and 13.9 MB of them. */
export const MAX_TARBALL_BYTES = 12_450_000;
export const MAX_UNPACKED_BYTES = 28_800_000;

/** The limits for all that npm installs. */
export const MAX_INSTALLED_BYTES = 33_000_000;
export const MAX_PACKAGES = 4;
