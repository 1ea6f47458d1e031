/** Replaces types that tests do not need (tsconfig.test.json). */
export {};
