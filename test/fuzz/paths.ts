/** Draws paths and queries: of each route, nearly of a route, and of none. */
import fc from "fast-check";
import { limits } from "../../lib/contract/limits.ts";
import { neighbours, target } from "./world.ts";

const hostileNames = [
  "%",
  "%zz",
  "%C0%AF",
  "%ED%A0%80",
  "..",
  "%2e%2e",
  "%00",
  "a%0d%0aset-cookie:%20a=1",
  "constructor",
  "FEATURE",
  "%E2%80%AE",
  "x".repeat(limits.nameBytes + 1),
];

function name(right: string, others: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 30, arbitrary: fc.constant(right) },
    { weight: 3, arbitrary: fc.constantFrom(...others.map(encodeURIComponent)) },
    { weight: 1, arbitrary: fc.constantFrom(...hostileNames) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 6 }).map(encodeURIComponent),
    },
  );
}

const feature = name(target, [...neighbours, "elsewhere"]);
const project = name("default", ["other", "Default", "default "]);
const environment = name("development", ["production", "a#b/c", "development\n", "DEVELOPMENT"]);

const toTags = feature.map((of) => `/api/admin/features/${of}/tags`);
const toVariants = fc
  .tuple(project, feature)
  .map(([of, named]) => `/api/admin/projects/${of}/features/${named}/variants`);
const toEnvironment = fc
  .tuple(project, feature, environment)
  .map(([of, named, each]) => `/api/admin/projects/${of}/features/${named}/environments/${each}/variants`);

const query = fc.oneof(
  { weight: 12, arbitrary: fc.constant("") },
  { weight: 6, arbitrary: fc.constantFrom("?dryRun=true", "?dryRun=false") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "?dryRun=",
      "?dryRun=TRUE",
      "?dryrun=true",
      "?dry-run=true",
      "?dryRun=true&dryRun=true",
      "?%64ryRun=true",
      "?__proto__=1&constructor=2",
      "?",
      "??dryRun=true",
      "?dryRun=%zz",
      "?dryRun=tru%65",
      "?by=index",
      "?by=name",
      "?by=NAME",
      "?by=name&by=index",
      "?By=name",
      `?${"a=1&".repeat(500)}`,
    ),
  },
  { weight: 1, arbitrary: fc.webQueryParameters().map((text) => `?${text}`) },
);

/** Paths that match no route, or only just. */
const stray = fc.oneof(
  fc.constantFrom(
    "/",
    "/api/admin/features//tags",
    "/api/admin/features/target/tags/",
    "//api/admin/features/target/tags",
    "/API/admin/features/target/tags",
    "/api/admin/../admin/features/target/tags",
    "http://elsewhere.example/api/admin/features/target/tags",
    "http://[::1/api/admin/features/target/tags",
    "/api/admin/projects/default/features/target/environments/development",
    "/openapi.json",
    "/reference/../package.json",
    "/favicon.ico",
    "*",
  ),
  fc.webPath().map((path) => `/${path}`),
);

function withQuery(path: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(path, query).map(([to, search]) => to + search);
}

export const tagsPath = withQuery(toTags);
export const variantsPath = withQuery(toVariants);
export const environmentPath = withQuery(toEnvironment);
export const byNamePath = fc
  .tuple(
    fc.oneof(toVariants, toEnvironment),
    fc.constantFrom("", "", "&dryRun=true", "&dryRun=false", "&b%79=name"),
  )
  .map(([to, rest]) => `${to}?by=name${rest}`);
export const strayPath = withQuery(stray);
