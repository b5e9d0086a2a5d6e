/** Draws relevant headers, with values that are valid, nearly so, or made to cost time. */
import fc from "fast-check";
import { keys } from "./world.ts";

const bearer = ["Bearer ", "bearer  ", "BEARER\t", "Basic ", "Bearer Bearer ", " "];
const authorization = fc.oneof(
  { weight: 24, arbitrary: fc.constant(keys.admin) },
  { weight: 2, arbitrary: fc.constantFrom(...bearer).map((scheme) => scheme + keys.admin) },
  { weight: 4, arbitrary: fc.constantFrom(...Object.values(keys)) },
  { weight: 1, arbitrary: fc.constantFrom("", "Bearer", "unknown", " ".repeat(2000), "bearer ".repeat(800)) },
);

/** HTTP headers can have all of Latin-1 but control characters. */
const headerText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff })), {
    maxLength: 30,
  })
  .map((codes) => String.fromCharCode(...codes));

const json = "application/json";
const contentType = fc.oneof(
  { weight: 14, arbitrary: fc.constantFrom(json, json, json, json, "application/json-patch+json") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "Application/JSON; charset=utf-8",
      "application/json;",
      "application/json, text/plain",
      "text/plain",
      "application/octet-stream",
      `text/${" ".repeat(3000)}`,
      `application/json${" ".repeat(3000)}x`,
      "",
    ),
  },
  { weight: 1, arbitrary: headerText },
);

const entityTags = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("{etag}", "{etag}", '"x", {etag}', "W/{etag}", "*") },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"', "W/", ",,,", '"a"'.repeat(600), ",".repeat(3000), '"\u00ff"'),
  },
  { weight: 1, arbitrary: headerText },
);

const idempotencyKey = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("k1", "k2", "k3") },
  { weight: 1, arbitrary: fc.constantFrom("", "a b", "x".repeat(255), "x".repeat(256), "__proto__") },
  { weight: 1, arbitrary: headerText },
);

const otherHeaders = fc.constantFrom<Record<string, string>>(
  { cookie: "a=1; b" },
  { "content-encoding": "gzip" },
  { "x-http-method-override": "DELETE" },
  { "x-forwarded-for": "10.0.0.1" },
  { range: "bytes=0-1" },
  { prefer: "handling=strict" },
  { prefer: 'respond-async, handling="strict"; a' },
  { accept: "text/html" },
  { "if-modified-since": "yesterday" },
  { "x-amzn-trace-id": "Root=1\u00e9" },
  { constructor: "x" },
);

/** `{etag}` in a value is replaced by the last ETag that was returned. */
export const headers = fc
  .record({
    authorization: fc.oneof(
      { weight: 30, arbitrary: authorization },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    "content-type": fc.oneof(
      { weight: 30, arbitrary: contentType },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    "if-match": fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: entityTags },
    ),
    "if-none-match": fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: entityTags },
    ),
    "idempotency-key": fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: idempotencyKey },
    ),
    others: fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: otherHeaders }),
  })
  .map(({ others, ...named }) => {
    const given = Object.entries({ ...named, ...others }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given) as Record<string, string>;
  });
