/** `duroxide completion`: the completion of verbs and flags for a shell. */
import { defineVerb, type Verb } from "../command/verb.ts";
import { bashCompletion, fishCompletion, zshCompletion } from "../completion/scripts.ts";
import { readWordList } from "../completion/word-list.ts";
import { EXIT, usage } from "../errors/exit-code.ts";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export const completion: Verb = defineVerb({
  name: "completion",
  takes: "bash|zsh|fish",
  flags: {},
  examples: [
    ["completion bash >> ~/.bashrc", "for bash"],
    ["completion zsh > ~/.zfunc/_duroxide", "for zsh, in a folder of fpath"],
    ["completion fish > ~/.config/fish/completions/duroxide.fish", "for fish"],
  ],
  async run({ words, terminal, verbs }) {
    const [shell = ""] = words;
    if (words.length !== 1 || !Object.hasOwn(SHELLS, shell))
      throw usage("For which shell? duroxide completion bash|zsh|fish");
    terminal.write(SHELLS[shell as keyof typeof SHELLS](await readWordList(verbs)));
    return EXIT.ok;
  },
});
