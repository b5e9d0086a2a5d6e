/** Parses the values of options, each from the text of its query parameter or header. */
import { ValidationError } from "../contract/errors.ts";
import { defaultGuardSeconds, limits } from "../contract/limits.ts";
import { urlFriendlyNameSchema } from "../contract/names.ts";
import { reasonIssue } from "../contract/reason.ts";
import type { VariantForm } from "../contract/variants.ts";
import type { Etags } from "../features/model.ts";
import type { GuardOption } from "../features/stamp.ts";

/** Quotes the start of a long value. */
function parameterError(name: string, text: string, rule: string): ValidationError {
  const value = text.length > 60 ? `${text.slice(0, 60)}...` : text;
  return new ValidationError(`The query parameter ${name} ${rule}; it is "${value.toWellFormed()}"`);
}

export function parseDryRun(text: string): boolean {
  if (text !== "true" && text !== "false") throw parameterError("dryRun", text, "must be true or false");
  return text === "true";
}

export function parseForm(text: string): VariantForm {
  if (text !== "index" && text !== "name") throw parameterError("by", text, "must be index or name");
  return text;
}

export function parseWith(text: string): "environments" {
  if (text === "environments") return text;
  throw parameterError("with", text, "must be environments");
}

export function parseLimit(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= limits.listedFeatures) return Number(text);
  throw parameterError("limit", text, `must be an integer from 1 to ${limits.listedFeatures}`);
}

export function parseAfter(text: string): string | undefined {
  if (!text.isWellFormed() || Buffer.byteLength(text) > limits.nameBytes) {
    throw parameterError("after", text, "must be the name of a feature");
  }
  return text === "" ? undefined : text;
}

/**
 * The first of repeated preferences counts (RFC 7240 section 2). Other preferences, which the RFC ignores, are refused:
 * one may be a misspelt `handling`, and what has to be strict must not become a plain write.
 */
export function parseStrict(text: string): boolean {
  // The parameters of a preference follow a semicolon.
  const preferences = splitList(text).map((preference) =>
    (preference.split(";")[0] ?? "").replace(/[\s"]/g, "").toLowerCase(),
  );
  if (!preferences.every((preference) => /^handling=(?:strict|lenient)$/.test(preference))) {
    throw new ValidationError("Prefer must be handling=strict or handling=lenient");
  }
  return preferences[0] === "handling=strict";
}

/** RFC 9110 section 12.5.3: a weight of 0 refuses a coding. */
export function parseAcceptsGzip(text: string): boolean {
  return splitList(text.toLowerCase()).some((coding) => {
    const [name = "", ...parameters] = coding.split(";").map((part) => part.trim());
    return /^(?:x-)?gzip$/.test(name) && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

/** RFC 9110 section 5.6.1: a comma in a quoted string separates nothing. Leaves out empty members. */
function splitList(text: string): string[] {
  return (text.match(/(?:"(?:\\.|[^"\\])*"?|[^",])+/g) ?? []).filter((member) => member.trim() !== "");
}

export function parseIdempotencyKey(text: string): string {
  if (/^[!-~]+$/.test(text) && text.length <= limits.idempotencyKeyLength) return text;
  throw new ValidationError(
    `Idempotency-Key must have 1 to ${limits.idempotencyKeyLength} visible ASCII characters`,
  );
}

export function parseReason(text: string): string | undefined {
  if (text === "") return undefined;
  if (!/^[ -~]*$/.test(text)) {
    throw new ValidationError(
      "Burgee-Reason must have visible ASCII and spaces only; percent-encode the rest",
    );
  }
  const reason = decodePercents(text);
  const issue = reasonIssue(reason);
  if (issue !== undefined) throw new ValidationError(`Burgee-Reason ${issue}`);
  return reason;
}

export function parseMostMoves(text: string): number {
  const share = Number(text);
  if (/^\d(?:\.\d+)?$/.test(text) && share <= 1) return share;
  throw new ValidationError("Burgee-Most-Moves must be a number from 0 to 1, such as 0.2");
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Returns the seconds of a time such as `30m`, or undefined if it is not from `1m` to `24h`. */
export function parseGuardTime(time: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,5})([smh])$/.exec(time) ?? [];
  const seconds = Number(count) * (secondsOf[unit] ?? 0);
  return seconds >= limits.leastGuardSeconds && seconds <= limits.guardSeconds ? seconds : undefined;
}

export function parseGuard(text: string): GuardOption {
  const [, name = "", time = `${defaultGuardSeconds / 60}m`] =
    /^[ \t]*([^\s;]+)[ \t]*(?:;[ \t]*for=([^\s;]+)[ \t]*)?$/.exec(text) ?? [];
  const seconds = parseGuardTime(time);
  if (seconds !== undefined && urlFriendlyNameSchema.safeParse(name).success) return { name, seconds };
  throw new ValidationError(
    `Burgee-Guard must be a URL-friendly name of at most ${limits.urlFriendlyNameLength} characters and a time from ${limits.leastGuardSeconds / 60}m to ${limits.guardSeconds / 3600}h, as in "errors; for=30m"`,
  );
}

/** A percent-encoded character in UTF-8. Some matches only have the form of one: they stay as they are. */
const encodedCharacter = /%[0-7]\w|%[cd]\w%[89ab]\w|%e\w(?:%[89ab]\w){2}|%f\w(?:%[89ab]\w){3}/gi;

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

const etagPattern = '(?:W/)?"[!#-~\\u0080-\\u00ff]*"';
/** Members may be empty (RFC 9110 section 5.6.1). */
const listPattern = new RegExp(`^[ \\t]*(?:${etagPattern}[ \\t]*)?(?:,[ \\t]*(?:${etagPattern}[ \\t]*)?)*$`);

/** RFC 9110 section 13.1: a weak ETag may match in If-None-Match only. */
export function parseIfMatch(text: string): Etags {
  return parseEtagsOrThrow("If-Match", text, { weakToo: false });
}

export function parseIfNoneMatch(text: string): Etags {
  return parseEtagsOrThrow("If-None-Match", text, { weakToo: true });
}

function parseEtagsOrThrow(name: string, text: string, options: { weakToo: boolean }): Etags {
  const etags = parseEtags(text, options);
  if (!etags) throw new ValidationError(`${name} must be * or ETags in quotes, as in "abc"`);
  return etags;
}

/** Returns undefined if the header is malformed (RFC 9110 section 8.8.3). */
export function parseEtags(text: string, { weakToo }: { weakToo: boolean }): Etags | undefined {
  if (text.trim() === "*") return "*";
  const etags = listPattern.test(text) ? text.match(new RegExp(etagPattern, "g")) : null;
  return etags
    ?.filter((sent) => weakToo || !sent.startsWith("W/"))
    .map((sent) => sent.slice(sent.indexOf('"') + 1, -1));
}
