/** Defines options that several programs have, and checks what was typed. */
import { Command, InvalidArgumentError, Option } from "commander";
import { burgeeHeaderNames } from "../clients/api/headers.ts";

export interface TableOptions {
  data?: string;
  endpoint?: string;
  table?: string;
  /** The address of the API, in place of a table. */
  url?: string;
}

/** Returns a message of the API in the words of the command line. */
export function namingOptions(message: string): string {
  const ofCommands = {
    "the list of changes has the ids": '"feature history" lists the ids',
    "the list of changes": '"feature history --json"',
    // A command always sends a key, so the key itself is not valid.
    "A valid API key is required in the Authorization header":
      "The API key in BURGEE_KEY is unknown, revoked or expired",
  };
  // An option has the name of the header that it sends.
  const options = burgeeHeaderNames.map((name) => [name, name.replace("Burgee-", "--").toLowerCase()]);
  return [...options, ...Object.entries(ofCommands)].reduce(
    (text, [words = "", own = ""]) => text.replaceAll(words, own),
    message,
  );
}

export function tableName({ table }: TableOptions): string {
  return table || process.env.TABLE_NAME || "burgee";
}

/** Refuses an empty text: as a host it would be every address of this machine, as a folder the working folder. */
export function notEmpty(text: string): string {
  if (text === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}

export function toEndpointUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError("An endpoint looks like http://127.0.0.1:8000.");
  }
  return text;
}

export function toUnleashAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError("An address of Unleash looks like https://unleash.example.com.");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Refuses plain HTTP to another machine, because the API key could be read on its way. */
export function toServiceUrl(text: string): string {
  const isSafe = /^(https:\/\/|http:\/\/(localhost|127(\.\d+){3}|\[::1\])([:/]|$))[^@?#]*$/.test(text);
  if (isSafe && URL.canParse(text)) return text.replace(/\/+$/, "");
  throw new InvalidArgumentError(
    "It must be an https: address, or an http: address of this machine, without a user, a query or a fragment.",
  );
}

export function toShare(text: string): string {
  if (/^(0(\.\d+)?|1(\.0+)?)$/.test(text)) return text;
  throw new InvalidArgumentError("It must be a number from 0 to 1, such as 0.2.");
}

/** An option whose values are all used. */
export class RepeatableOption extends Option {}

/** Refuses an option given twice: Commander would use the last value, and drop the others in silence. */
export class OneValueCommand extends Command {
  override createCommand(name?: string): Command {
    return new OneValueCommand(name);
  }

  override addOption(option: Option): this {
    const isForOneValue = !option.isBoolean() && !option.variadic && !(option instanceof RepeatableOption);
    // Before the listener of Commander, which sets the value.
    if (isForOneValue) this.on(`option:${option.name()}`, () => this.#requireFirst(option));
    return super.addOption(option);
  }

  #requireFirst(option: Option): void {
    if (this.getOptionValueSource(option.attributeName()) !== "cli") return;
    this.error(`error: --${option.name()} was given twice: it takes one value`);
  }
}
