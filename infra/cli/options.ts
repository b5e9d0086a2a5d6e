/** Options that name the table of a command, and checks of what was typed. */
import { InvalidArgumentError } from "commander";

export interface TableOptions {
  data?: string;
  endpoint?: string;
  table?: string;
}

export function tableName({ table }: TableOptions): string {
  return table || process.env.TABLE_NAME || "burgee";
}

/** An empty host would be every address of this machine, an empty folder the working folder. */
export function notEmpty(text: string): string {
  if (text === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}

export function toUrl(text: string): string {
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
