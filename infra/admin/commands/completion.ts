/** `completion SHELL` */
import { Argument, type Command, type Option } from "commander";
import { command } from "../command.ts";
import { print } from "../terminal/output.ts";

type Shell = "bash" | "zsh";

const details = `
Completes commands, options and their choices, and otherwise file names. The script is for this version;
eval "$(burgee completion bash)" in ~/.bashrc always loads that of the installed one.`;

export function completionCommand(): Command {
  return command("completion", "Print a completion script for a shell", {
    details,
    examples: [
      ["completion bash >> ~/.bashrc", "complete in each new bash"],
      ["completion zsh >> ~/.zshrc", "complete in each new zsh"],
    ],
  })
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh"]))
    .action((shell: Shell, _: object, self: Command) => print(scriptOf(self.parent ?? self, shell)));
}

/** zsh runs the bash script, by its bashcompinit. */
function scriptOf(program: Command, shell: Shell): string {
  const all = withSubcommands(program);
  const options = all.flatMap(({ command }) => command.options).filter(takesValue);
  const chosen = options.filter(({ argChoices }) => argChoices);
  const valued = patternOf(options.flatMap(flagsOf));
  const preamble =
    shell === "zsh" ? "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n" : "";
  return `${preamble}_burgee() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    # The value of an option is not a command.
    case "\${COMP_WORDS[i-1]}" in ${valued}) continue ;; esac
    case "$command \${COMP_WORDS[i]}" in ${patternOf(all.map(({ path }) => path))}) command="$command \${COMP_WORDS[i]}" ;; esac
  done
  case "$before" in
${chosen.map(formatChoices).join("\n")}
    ${valued}) ;;
    *) case "$command" in
${all.map((one) => formatWords(one, program)).join("\n")}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _burgee burgee`;
}

interface Found {
  /** The command's names, each after a space: " key create"; empty for the program itself. */
  path: string;
  command: Command;
}

function withSubcommands(command: Command, path = ""): Found[] {
  const below = command.commands.flatMap((one) => withSubcommands(one, `${path} ${one.name()}`));
  return [{ path, command }, ...below];
}

function formatWords({ path, command }: Found, program: Command): string {
  const names = command.commands.map((one) => one.name());
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const flags = [...command.options, ...(command === program ? [] : program.options)].flatMap(flagsOf);
  return `      ${quote(path)}) words=${quote([...names, ...choices, ...flags, "--help"].join(" "))} ;;`;
}

function formatChoices(option: Option): string {
  return `    ${patternOf(flagsOf(option))}) words=${quote((option.argChoices ?? []).join(" "))} ;;`;
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function flagsOf({ short, long }: Option): string[] {
  return [short, long].filter((flag) => flag !== undefined);
}

function patternOf(words: readonly string[]): string {
  return [...new Set(words)]
    .filter((word) => word !== "")
    .map(quote)
    .join("|");
}

function quote(text: string): string {
  return `"${text}"`;
}
