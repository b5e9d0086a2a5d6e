/** The descriptions of members: quoted from the comment at each, and true of it. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { document } from "../../support/document.ts";

const schemas: Readonly<Record<string, { properties?: object }>> = document.components.schemas;
const described = Object.entries(schemas).flatMap(([schema, { properties = {} }]) =>
  Object.entries(properties).map(([member, { description }]) => ({ schema, member, description })),
);

const files = readdirSync("lib/contract", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => path.resolve("lib/contract", file));
const sources = files.map((file) => readFileSync(file, "utf8"));
const modules = await Promise.all(files.map((file) => import(file)));
const declared: Readonly<Record<string, unknown>> = Object.assign({}, ...modules);

/** The comments on members, of any schema. */
const comments = sources.flatMap((source) =>
  [...source.matchAll(/\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n +(\w+)[:,]/g)].map(([, comment = "", member]) => {
    // The document has the value of the limit in place of the link.
    const [beginning = ""] = comment.replaceAll(/\n *\*/g, " ").split("{@link");
    return { member, beginning: oneLine(beginning) };
  }),
);

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function shapeOf(schema: unknown): object {
  if (schema instanceof z.ZodMiniPipe) return shapeOf(schema.def.in);
  return schema instanceof z.ZodMiniObject ? schema.shape : {};
}

it("describes a member by the comment at its declaration, never by that of another member of its name", () => {
  // The schemas that spread one declaration have the same value there.
  const members = described.map(({ schema, member, description }) => ({
    place: `${schema}.${member}`,
    member,
    description: oneLine(description),
    value: Object(shapeOf(declared[schema]))[member],
  }));
  const borrowed = members.filter(({ member, description }) => {
    const alike = members.filter((other) => other.member === member && other.description === description);
    const quoted = comments.filter(
      (comment) => comment.member === member && description.startsWith(comment.beginning),
    );
    return new Set(alike.map(({ value }) => value)).size > quoted.length;
  });

  expect(members.filter(({ value }) => value === undefined)).toEqual([]);
  expect(borrowed.map(({ place, description }) => `${place}: ${description}`)).toEqual([]);
});

const strategyName = "The name of a strategy of Unleash, such as `flexibleRollout`.";
const environmentName = "The name of the environment.";
const parents = "The parent features, each of which has to be as its entry says; absent if there are none.";

it.each([
  ["changeInEnvironmentSchema", "environment", environmentName],
  ["listedEnvironmentSchema", "environment", environmentName],
  ["listedEnvironmentByNameSchema", "environment", environmentName],
  ["detailSchema", "environment", "The name of the environment whose outcome this is."],
  ["sentStrategySchema", "environment", "Dropped."],
  ["strategySchema", "name", strategyName],
  ["strategyByIdSchema", "name", strategyName],
  ["sentStrategySchema", "name", strategyName],
  ["strategyVariantSchema", "name", "URL-friendly, and unique in the strategy."],
  ["featureByNameSchema", "environments", "The feature's environments, in the project's order."],
  ["clientFeaturesSchema", "version", "The version of Unleash's format: 2."],
  [
    "clientFeaturesSchema",
    "features",
    "The features of the project, as they are in the environment, without those that only flagd's targeting decides.",
  ],
  ["tagsSchema", "version", "The version of this format: 1."],
  ["environmentSchema", "enabled", "Whether the feature is on."],
  ["environmentSchema", "variants", "The variants by name, each without its `name`."],
  ["featureEnvironmentByNameSchema", "variants", "The variants by name, each without its `name`."],
  ["featureEnvironmentSchema", "variants", "The variants, sorted by name; names are unique."],
  ["featureEnvironmentSchema", "dependencies", parents],
  ["featureEnvironmentByNameSchema", "dependencies", parents],
  ["patchedEnvironmentSchema", "dependencies", parents],
  ["moveOperationSchema", "from", "A JSON Pointer to what is moved, under the same rules as `path`."],
])("%s.%s is described for this schema", (schema, member, description) => {
  expect(described).toContainEqual({ schema, member, description });
});

it("says of a read neither what a request changes nor what only dry runs have", () => {
  const reads = ["featureSchema", "featureByNameSchema", "featureEnvironmentSchema", "environmentSchema"];
  const ofReads = described.filter(({ schema }) => reads.includes(schema));

  expect(ofReads.filter(({ description }) => /dry run|the request/.test(description))).toEqual([]);
});
