/** Draws requests: of each route, and nearly of a route. */
import fc from "fast-check";
import { limits } from "../../lib/contract/limits.ts";
import { type OptionName, optionDeclarations } from "../../lib/http/options.ts";
import { type BodyKind, bodyFor } from "./bodies.ts";
import { keys, neighbours, target } from "./world.ts";

/** Draws from the first list most of the time. */
const mostly = <Value>(usual: readonly Value[], odd: readonly Value[], share = 12) =>
  fc.oneof({ weight: share, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...odd));

const hostileNames = [
  ...["%", "%zz", "%C0%AF", "%ED%A0%80", "..", "%2e%2e", "%00", "constructor", "FEATURE", "%E2%80%AE"],
  "a%0d%0aset-cookie:%20a=1",
  "x".repeat(limits.nameBytes + 1),
];
const name = (right: string, others: readonly string[]) =>
  mostly([right], [...others.map(encodeURIComponent), ...hostileNames]);
const feature = name(target, [...neighbours, "elsewhere"]);
const project = name("default", ["other", "Default", "default "]);
const environment = name("development", ["production", "a#b/c", "DEVELOPMENT"]);

const join = (parts: readonly string[]) => parts.join("");

const tagsPath = feature.map((of) => `/api/admin/features/${of}/tags`);
const oneEnvironment = environment.map((of) => `/environments/${of}`);
const wholeFeaturePath = fc
  .tuple(project, feature)
  .map(([of, named]) => `/api/admin/projects/${of}/features/${named}`);
const featurePath = fc.tuple(wholeFeaturePath, fc.oneof(fc.constant(""), oneEnvironment)).map(join);
const variantsPath = featurePath.map((of) => `${of}/variants`);
const switchPath = fc
  .tuple(featurePath, mostly(["/on", "/off"], ["/ON", "/on/", "/toggle", "/on%2foff"], 8))
  .map(join);

const environmentPath = fc
  .tuple(wholeFeaturePath, fc.oneof({ weight: 3, arbitrary: oneEnvironment }, fc.constant("")))
  .map(join);
const strategiesPath = fc.tuple(wholeFeaturePath, oneEnvironment).map(([of, at]) => `${of}${at}/strategies`);
const strategyPath = fc
  .tuple(strategiesPath, mostly(["s1", "s1", "s2"], hostileNames))
  .map(([of, id]) => `${of}/${id}`);
const newFeaturePath = project.map((of) => `/api/admin/projects/${of}/features`);
const restorePath = wholeFeaturePath.map((of) => `${of}/restore`);
const tripPath = fc
  .tuple(project, oneEnvironment, mostly(["g", "h"], hostileNames))
  .map(([of, at, guard]) => `/api/admin/projects/${of}${at}/guards/${guard}/trip`);

/** `{change}` is replaced by the last change that was returned. */
const undone = mostly(["/{change}/undo"], ["", "//undo", ...hostileNames.map((id) => `/${id}/undo`)], 4);
const changesPath = fc.tuple(variantsPath, undone).map(([of, rest]) => `${of}/changes${rest}`);

const listPath = fc.oneof(
  fc.constant("/api/admin/projects"),
  project.map((of) => `/api/admin/projects/${of}/features`),
  fc
    .tuple(project, environment, fc.constantFrom("client/features", "flagd.json"))
    .map(([of, one, what]) => `/api/projects/${of}/environments/${one}/${what}`),
);

/** The options at a place. The compiler requires values of each. */
type OptionIn<Place> = {
  [Name in OptionName]: (typeof optionDeclarations)[Name] extends { in: Place } ? Name : never;
}[OptionName];

const parameters: Readonly<Record<OptionIn<"query">, readonly string[]>> = {
  dryRun: ["dryRun=true", "dryRun=false"],
  form: ["by=name"],
  with: ["with=environments"],
  limit: ["limit=2"],
  after: ["after=a"],
};
const { dryRun, ...ofReads } = parameters;

const query = mostly(
  ["", "", ...dryRun.map((parameter) => `?${parameter}`)],
  [
    ...["?dryRun=", "?dryRun=TRUE", "?dryrun=true", "?dryRun=true&dryRun=true", "?%64ryRun=true", "?"],
    ...["??dryRun=true", "?dryRun=%zz", "?__proto__=1&constructor=2", "?by=NAME", "?by=name&by=index"],
    `?${"a=1&".repeat(500)}`,
  ],
  8,
);
const readQuery = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .subarray(Object.values(ofReads).flat())
      .map((some) => (some.length > 0 ? `?${some.join("&")}` : "")),
  },
  fc.constantFrom(
    ...["?with=", "?with=variants", "?with=environments&limit=201", "?with=environments&with=environments"],
    ...["?after=%ED%A0%80&with=environments", "?limit=0", "?limit=1e2", "?by=", "?dryRun=true"],
  ),
);
const byNameQuery = fc.constantFrom("?by=name", "?by=name&dryRun=true", "?b%79=name");

/** Latin-1, as HTTP headers have it, without control characters. */
const headerText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff })))
  .map((codes) => String.fromCharCode(...codes));
const { admin } = keys;
const authorization = mostly(
  [admin],
  [`Bearer ${admin}`, `BEARER\t${admin}`, ...Object.values(keys), "", "Bearer", "unknown", " ".repeat(2000)],
  4,
);
const contentType = mostly(
  ["application/json", "application/json-patch+json"],
  [
    ...["Application/JSON; charset=utf-8", "application/json;", "application/json, text/plain", "text/plain"],
    ...[`text/${" ".repeat(3000)}`, `application/json${" ".repeat(3000)}x`, ""],
  ],
);
/** `{etag}` is replaced by the last ETag that was returned. */
const etags = mostly(["{etag}", '"x", {etag}', "W/{etag}", "*"], ['"', ",".repeat(3000), '"\u00ff"']);
const idempotencyKey = mostly(["k1"], ["", "a b", "x".repeat(256), "__proto__"]);
const encodings = mostly(["gzip", "br, gzip;q=0.5"], ["gzip;q=0", "*", ";q=", "gzip;q=1e9"]);
const reason = mostly(
  ["why", "50%25 of users"],
  ["", "%00", "%E2%80%AE", "%zz", "x".repeat(limits.reasonLength + 1)],
);
const guard = mostly(["g", "g; for=1m", "h; for=24h"], ["", "a b", "g; for=25h", "g; until=1m", "__proto__"]);
const mostMoves = mostly(["1", "0.5", "0"], ["", "-1", "2", "NaN", "1e-400"]);
const prefer = fc.constantFrom("handling=strict", "handling=lenient", 'handling="strict"; a');

const rarely = (header: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: header },
    { weight: 1, arbitrary: headerText },
  );
const optionHeaders: Readonly<Record<OptionIn<"header">, fc.Arbitrary<string | undefined>>> = {
  ifMatch: rarely(etags),
  ifNoneMatch: rarely(etags),
  idempotencyKey: fc.oneof(rarely(idempotencyKey), idempotencyKey),
  prefersStrict: rarely(prefer),
  reason: rarely(reason),
  guard: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, guard),
  mostMoves: fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, mostMoves),
  acceptsGzip: rarely(encodings),
};
const byHeader = Object.entries(optionHeaders).map(([option, values]) => [
  optionDeclarations[option as OptionName].name.toLowerCase(),
  values,
]);
const headers = fc
  .record<Record<string, string | undefined>>({
    authorization,
    "content-type": fc.oneof({ weight: 30, arbitrary: contentType }, headerText),
    ...Object.fromEntries(byHeader),
    constructor: rarely(headerText),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));

const writes = {
  environment: "PATCH",
  strategy: "POST",
  "strategy patch": "PATCH",
  feature: "POST",
  trip: "POST",
  tags: "PUT",
  variants: "PATCH",
  "variants by name": "PATCH",
  switch: "POST",
  undo: "POST",
  read: "GET",
};

function requests(
  path: fc.Arbitrary<string>,
  search: fc.Arbitrary<string>,
  kind: BodyKind,
  write: string = writes[kind],
) {
  const method = mostly([write, write, write, "GET"], ["HEAD", "POST", "DELETE", "OPTIONS"], 16);
  const url = fc.tuple(path, search).map(join);
  return fc.record({ method, path: url, headers, body: bodyFor(kind) });
}

export const request = fc.oneof(
  { weight: 8, arbitrary: requests(tagsPath, query, "tags") },
  { weight: 16, arbitrary: requests(variantsPath, query, "variants") },
  { weight: 8, arbitrary: requests(variantsPath, byNameQuery, "variants by name") },
  { weight: 12, arbitrary: requests(switchPath, query, "switch") },
  { weight: 8, arbitrary: requests(changesPath, query, "undo") },
  { weight: 12, arbitrary: requests(environmentPath, query, "environment") },
  { weight: 5, arbitrary: requests(strategiesPath, query, "strategy") },
  { weight: 4, arbitrary: requests(strategyPath, query, "strategy", "PUT") },
  { weight: 6, arbitrary: requests(strategyPath, query, "strategy patch") },
  { weight: 3, arbitrary: requests(strategyPath, query, "trip", "DELETE") },
  { weight: 4, arbitrary: requests(newFeaturePath, query, "feature") },
  { weight: 2, arbitrary: requests(wholeFeaturePath, query, "trip", "DELETE") },
  { weight: 4, arbitrary: requests(restorePath, query, "undo") },
  { weight: 5, arbitrary: requests(tripPath, query, "trip") },
  { weight: 4, arbitrary: requests(listPath, readQuery, "read") },
  { weight: 4, arbitrary: requests(wholeFeaturePath, readQuery, "read") },
);
