/** Reads headers that are lists: preferences, and the codings that a client accepts. */

/** RFC 7240 section 2: the first of repeated preferences counts; parameters follow a semicolon. */
export function isStrict(prefer = ""): boolean {
  const preferences = splitList(prefer).map((preference) => {
    const [name = "", value = ""] = (preference.split(";")[0] ?? "").split("=");
    return { name: name.trim().toLowerCase(), value: value.trim().replaceAll('"', "").toLowerCase() };
  });
  return preferences.find(({ name }) => name === "handling")?.value === "strict";
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
