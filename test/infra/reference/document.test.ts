/** The OpenAPI document: as the contract has it now, complete, and its examples in order. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readRoutes } from "../../../infra/local/routes.ts";
import type { Content } from "../../../infra/reference/answers.ts";
import { createDocument, render } from "../../../infra/reference/document.ts";
import { document } from "../../support/document.ts";
import { faultsIn, operation, operations } from "./operations.ts";

const answersOfReads = ["200", "400", "401", "403", "404", "405", "500", "503"];
const answersOfWrites = ["400", "401", "403", "404", "405", "413", "415", "500", "503"];

describe("the committed document", () => {
  it("is what the contract makes of it now", () => {
    const committed = readFileSync("infra/reference/openapi.json", "utf8");

    expect(committed === render(), "infra/reference/openapi.json is out of date: npm run openapi").toBe(true);
  });

  it("has the paths that serverless.yml declares, and no other", () => {
    expect(Object.keys(document.paths)).toEqual(readRoutes().map(({ path }) => path));
  });

  it("has the names that clients generated from Unleash know", () => {
    expect(operations.map(({ operationId }) => operationId)).toEqual([
      ...["listTags", "updateTags"],
      ...["getFeatureVariants", "patchFeatureVariants"],
      ...["getEnvironmentFeatureVariants", "patchEnvironmentsFeatureVariants"],
    ]);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        ...["updateTagsSchema", "tagsSchema", "tagSchema", "patchesSchema", "patchSchema"],
        ...["featureVariantsSchema", "variantSchema", "overrideSchema", "errorSchema"],
      ]),
    );
  });

  it.each([
    ["listTags", answersOfReads],
    ["updateTags", ["200", "201", ...answersOfWrites]],
    ["getFeatureVariants", ["304", ...answersOfReads]],
    ["patchFeatureVariants", ["200", "409", "412", ...answersOfWrites]],
    ["getEnvironmentFeatureVariants", ["304", ...answersOfReads]],
    ["patchEnvironmentsFeatureVariants", ["200", "409", "412", ...answersOfWrites]],
  ])("has every status that %s answers with", (id, statuses) => {
    expect(Object.keys(operation(id).responses)).toEqual(statuses.sort());
  });

  it("has for each path the methods that its allow header lists", () => {
    for (const methods of Object.values(document.paths)) {
      const allow = Object.keys(methods).join(", ").toUpperCase();
      const told = Object.values(methods).map(({ responses }) => responses[405]?.headers?.allow?.example);
      expect(new Set(told)).toEqual(new Set([allow]));
    }
  });

  it.each([
    ["listTags", ["featureName"]],
    ["updateTags", ["featureName", "dryRun"]],
    ["getFeatureVariants", ["projectId", "featureName", "If-None-Match"]],
    ["patchFeatureVariants", ["projectId", "featureName", "dryRun", "If-Match", "Idempotency-Key"]],
    ["getEnvironmentFeatureVariants", ["projectId", "featureName", "environment", "If-None-Match"]],
    [
      "patchEnvironmentsFeatureVariants",
      ["projectId", "featureName", "environment", "dryRun", "If-Match", "Idempotency-Key"],
    ],
  ])("has every parameter that %s takes", (id, names) => {
    const known = Object.entries(document.components.parameters);
    const byReference = Object.fromEntries(
      known.map(([key, { name }]) => [`#/components/parameters/${key}`, name]),
    );
    expect(operation(id).parameters.map(({ $ref }) => byReference[$ref])).toEqual(names);
  });

  it("tells operations apart by op, and takes a patch in both media types", () => {
    expect(document.components.schemas.patchSchema).toMatchObject({
      oneOf: ["add", "remove", "replace", "copy", "move"].map((op) => ({
        $ref: `#/components/schemas/${op}PatchSchema`,
      })),
      discriminator: { propertyName: "op", mapping: { add: "#/components/schemas/addPatchSchema" } },
    });
    for (const id of ["patchFeatureVariants", "patchEnvironmentsFeatureVariants"]) {
      expect(Object.keys(operation(id).requestBody?.content ?? {})).toEqual([
        "application/json",
        "application/json-patch+json",
      ]);
    }
  });

  it("describes every schema and every field that it has a word for", () => {
    const fresh = Object.entries(createDocument().components.schemas);

    expect(fresh.filter(([, { description }]) => !description)).toEqual([]);
    const fields = fresh.flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([field, schema]) => ({ name: `${name}.${field}`, schema })),
    );
    expect(fields.filter(({ schema }) => !Object(schema).description)).toEqual([]);
  });
});

describe("every example", () => {
  it.each(examples())("is what its schema says: $name", ({ schema, value }) => {
    expect(faultsIn(schema, value)).toEqual([]);
  });
});

interface Example {
  name: string;
  schema: Content["schema"];
  value: unknown;
}

function examples(): Example[] {
  return operations.flatMap(({ operationId, requestBody, responses }) => [
    ...inContent(`${operationId} request`, requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      inContent(`${operationId} ${status}`, content),
    ),
  ]);
}

/** There is at least one for each media type. */
function inContent(place: string, content: Readonly<Record<string, Content>> = {}): Example[] {
  return Object.entries(content).flatMap(([mediaType, { schema, examples }]) => {
    const found = Object.entries(examples);
    expect(found.length).toBeGreaterThan(0);
    return found.map(([name, { value }]) => ({
      name: `${place} ${mediaType} ${name}`,
      schema,
      value,
    }));
  });
}
