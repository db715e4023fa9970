/** The package's version, put in by the build and by the test runner. */
declare const __OKA_VERSION__: string;
