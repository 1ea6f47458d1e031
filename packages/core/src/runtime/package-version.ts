/** The version of this package. A test compares it with package.json. */
export const PACKAGE_VERSION = "0.1.0";
