/** Completion scripts. All words are ours, so none needs quoting beyond that of the shell's own strings. */
import type { CompletedFlag, CompletedVerb } from "./word-list.ts";

export function bashCompletion(verbs: readonly CompletedVerb[]): string {
  const cases = verbs
    .map(({ name, flags }) => `    ${quoted(name)}) flags=${quoted(flagNames(flags))} ;;`)
    .join("\n");
  return `# bash completion of duroxide
_duroxide() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" verb="\${COMP_WORDS[1]}" flags=""
  case "$verb \${COMP_WORDS[2]}" in
${pairs(verbs)
  .map(({ name }) => `    ${quoted(name)}) verb=${quoted(name)} ;;`)
  .join("\n")}
  esac
  case "$verb" in
${cases}
  esac
  case "$previous" in
${choiceCases(verbs)}
    --store|--config|--out|--handlers|--redact) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W ${quoted(firstWords(verbs))} -- "$current"))
${subverbCases(verbs)}
  elif [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _duroxide duroxide
`;
}

export function zshCompletion(verbs: readonly CompletedVerb[]): string {
  const list = single(verbs)
    .map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`)
    .join("\n");
  const groups = [...new Set(pairs(verbs).map(({ name }) => name.split(" ")[0] ?? ""))];
  const cases = single(verbs).map(
    ({ name, flags }) => `    ${name}) _arguments ${flags.map(zshFlag).join(" ")} '*:file:_files' ;;`,
  );
  const subverbs = groups.map((group) => {
    const names = pairs(verbs).flatMap(({ name }) =>
      name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : [],
    );
    return `  if [[ $words[2] == ${group} && CURRENT -eq 3 ]]; then compadd -- ${names.join(" ")}; fi`;
  });
  return `#compdef duroxide
_duroxide() {
  local -a verbs
  verbs=(
${list}
${groups
  .filter((group) => !verbs.some(({ name }) => name === group))
  .map((group) => `    ${quoted(group)}`)
  .join("\n")}
  )
  if (( CURRENT == 2 )); then _describe verb verbs; return; fi
${subverbs.join("\n")}
  case $words[2] in
${cases.join("\n")}
  esac
}
_duroxide "$@"
`;
}

export function fishCompletion(verbs: readonly CompletedVerb[]): string {
  const lines = verbs.flatMap(({ name, summary, flags }) => {
    const [first = "", second] = name.split(" ");
    const seen =
      second === undefined
        ? `__fish_seen_subcommand_from ${first}`
        : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    const before = second === undefined ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${first}`;
    return [
      `complete -c duroxide -n '${before}' -a ${second ?? first} -d ${quoted(summary)}`,
      ...flags.map(({ name: flag, help, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : takesValue ? " -r" : "";
        return `complete -c duroxide -n '${seen}' -l ${flag.slice(2)}${value} -d ${quoted(help)}`;
      }),
    ];
  });
  return `# fish completion of duroxide\n${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function single(verbs: readonly CompletedVerb[]): readonly CompletedVerb[] {
  return verbs.filter(({ name }) => !name.includes(" "));
}

function pairs(verbs: readonly CompletedVerb[]): readonly CompletedVerb[] {
  return verbs.filter(({ name }) => name.includes(" "));
}

function firstWords(verbs: readonly CompletedVerb[]): string {
  return [...new Set(verbs.map(({ name }) => name.split(" ")[0]))].join(" ");
}

function flagNames(flags: readonly CompletedFlag[]): string {
  return flags.map(({ name }) => name).join(" ");
}

function choiceCases(verbs: readonly CompletedVerb[]): string {
  const byName = new Map<string, Set<string>>();
  for (const { name, choices } of verbs.flatMap(({ flags }) => flags)) {
    if (choices.length > 0) byName.set(name, new Set([...(byName.get(name) ?? []), ...choices]));
  }
  return [...byName]
    .map(
      ([name, choices]) =>
        `    ${name}) COMPREPLY=($(compgen -W ${quoted([...choices].join(" "))} -- "$current")); return ;;`,
    )
    .join("\n");
}

function subverbCases(verbs: readonly CompletedVerb[]): string {
  const groups = new Map<string, string[]>();
  for (const { name } of pairs(verbs)) {
    const [first = "", second = ""] = name.split(" ");
    groups.set(first, [...(groups.get(first) ?? []), second]);
  }
  return [...groups]
    .map(
      ([first, seconds]) =>
        `  elif [ "$COMP_CWORD" -eq 2 ] && [ "\${COMP_WORDS[1]}" = ${first} ] && [[ "$current" != -* ]]; then COMPREPLY=($(compgen -W ${quoted(seconds.join(" "))} -- "$current"))`,
    )
    .join("\n");
}

function zshFlag({ name, help, takesValue, choices }: CompletedFlag): string {
  const text = help.replaceAll(/[[\]:]/g, " ");
  const value = choices.length > 0 ? `: :(${choices.join(" ")})` : takesValue ? ": :_files" : "";
  return quoted(`${name}[${text}]${value}`);
}
