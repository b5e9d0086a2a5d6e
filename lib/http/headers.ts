/** Reads the values of headers. */
import { ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { nameInPathSchema } from "../contract/names.ts";
import type { Etags } from "../features/model.ts";
import { type Guard, reasonIssue } from "../features/stamp.ts";

/** RFC 7240 section 2: the first of repeated preferences counts. */
export function isStrict(prefer = ""): boolean {
  return readPreferences(prefer).find(({ name }) => name === "handling")?.value === "strict";
}

/** A request with a misspelt preference must not write: it may have to be strict. */
export function requireKnownPreferences(prefer = ""): void {
  const isKnown = ({ name, value }: { name: string; value: string }) =>
    name === "" || (name === "handling" && (value === "strict" || value === "lenient"));
  if (readPreferences(prefer).every(isKnown)) return;
  throw new ValidationError(
    "Prefer has an unknown preference; this route accepts handling=strict and handling=lenient",
  );
}

/** Parameters follow a semicolon. */
function readPreferences(prefer: string) {
  return splitList(prefer).map((preference) => {
    const [name = "", value = ""] = (preference.split(";")[0] ?? "").split("=");
    return { name: name.trim().toLowerCase(), value: value.trim().replaceAll('"', "").toLowerCase() };
  });
}

/** RFC 9110 section 12.5.3: a weight of 0 refuses a coding. */
export function acceptsGzip(acceptEncoding = ""): boolean {
  return splitList(acceptEncoding.toLowerCase()).some((coding) => {
    const [name = "", ...parameters] = coding.split(";").map((part) => part.trim());
    return /^(?:x-)?gzip$/.test(name) && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one));
  });
}

/** RFC 9110 section 5.6.1: a comma in a quoted string separates nothing. */
function splitList(text: string): string[] {
  const members = [""];
  let isQuoted = false;
  let isEscaped = false;
  for (const character of text) {
    if (character === "," && !isQuoted) members.push("");
    else members.push(members.pop() + character);
    if (character === '"' && !isEscaped) isQuoted = !isQuoted;
    isEscaped = isQuoted && character === "\\" && !isEscaped;
  }
  return members;
}

/** `Burgee-Reason`: why a change is made. */
export function readReason(header: string | undefined): string | undefined {
  if (header === undefined || header === "") return undefined;
  if (!/^[ -~]*$/.test(header)) {
    throw new ValidationError(
      "Burgee-Reason must have visible ASCII characters and spaces only; percent-encode all others",
    );
  }
  const reason = decodePercents(header);
  const issue = reasonIssue(reason);
  if (issue !== undefined) throw new ValidationError(`Burgee-Reason ${issue}`);
  return reason;
}

/** `Burgee-Most-Moves`: the share of users that a change may give something else. */
export function readMostMoves(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const share = Number(header);
  if (/^\d(?:\.\d+)?$/.test(header) && share <= 1) return share;
  throw new ValidationError("Burgee-Most-Moves must be a number from 0 to 1, such as 0.2");
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Of a time such as `30m`; undefined where no guard can be in effect for so long. */
export function guardSeconds(time: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,5})([smh])$/.exec(time) ?? [];
  const seconds = Number(count) * (secondsOf[unit] ?? 0);
  return seconds >= 60 && seconds <= limits.guardSeconds ? seconds : undefined;
}

/** `Burgee-Guard`: the name of a guard, and for how long the change is under it. */
export function readGuard(header: string | undefined): Guard | undefined {
  if (header === undefined) return undefined;
  const [, name = "", time = "30m"] =
    /^[ \t]*([^\s;]+)[ \t]*(?:;[ \t]*for=([^\s;]+)[ \t]*)?$/.exec(header) ?? [];
  const seconds = guardSeconds(time);
  if (seconds !== undefined && nameInPathSchema.safeParse(name).success) return { name, seconds };
  throw new ValidationError(
    `Burgee-Guard must be a URL-friendly name of at most 100 characters and a time from 1m to 24h, as in "checkout-errors; for=30m"`,
  );
}

/** One character in UTF-8, percent-encoded. */
const encodedCharacter =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;

/** A "%" that begins no valid sequence stands for itself. */
function decodePercents(text: string): string {
  return text.replace(encodedCharacter, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

const etag = '(?:W/)?"[!#-~\\u0080-\\u00ff]*"';
/** Members may be empty (RFC 9110 section 5.6.1). */
const list = new RegExp(`^[ \\t]*(?:${etag}[ \\t]*)?(?:,[ \\t]*(?:${etag}[ \\t]*)?)*$`);

/** RFC 9110 section 8.8.3. Undefined if the header is malformed. */
export function parseEtags(header: string, { weakToo }: { weakToo: boolean }): Etags | undefined {
  if (header.trim() === "*") return "*";
  const found = list.test(header) ? header.match(new RegExp(etag, "g")) : null;
  return found
    ?.filter((one) => weakToo || !one.startsWith("W/"))
    .map((one) => one.slice(one.indexOf('"') + 1, -1));
}
