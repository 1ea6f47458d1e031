/** Loaded before a command: writes what the command loads into the file that NOTE_MODULES names, one URL a line. */
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on("exit", () => writeFileSync(process.env["NOTE_MODULES"] ?? "", loaded.join("\n")));
