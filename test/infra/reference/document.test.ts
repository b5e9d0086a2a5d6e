/** The OpenAPI document: as the contract has it now, complete, and its examples in order. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readRoutes } from "../../../infra/local/routes.ts";
import { createDocument, render } from "../../../infra/reference/document.ts";
import { document, faultsAt } from "../../support/document.ts";

const put = document.paths["/api/admin/features/{featureName}/tags"].put;
const patch = document.paths["/api/admin/projects/{projectId}/features/{featureName}/variants"].patch;

describe("the committed document", () => {
  it("is what the contract makes of it now", () => {
    const committed = readFileSync("infra/reference/openapi.json", "utf8");

    expect(committed === render(), "infra/reference/openapi.json is out of date: npm run openapi").toBe(true);
  });

  it("has the paths that serverless.yml declares, and no other", () => {
    expect(Object.keys(document.paths)).toEqual(readRoutes().map(({ path }) => path));
  });

  it("has the names that clients generated from Unleash know", () => {
    expect([put.operationId, patch.operationId]).toEqual(["updateTags", "patchFeatureVariants"]);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        ...["updateTagsSchema", "tagsSchema", "tagSchema", "patchesSchema", "patchSchema"],
        ...["featureVariantsSchema", "variantSchema", "overrideSchema", "errorSchema"],
      ]),
    );
  });

  it("has every status that the operations answer with", () => {
    expect(Object.keys(put.responses)).toEqual([
      ...["201", "400", "401", "403", "404", "405", "413", "415", "500", "503"],
    ]);
    expect(Object.keys(patch.responses)).toEqual([
      ...["200", "400", "401", "403", "404", "405", "409", "413", "415", "500", "503"],
    ]);
  });

  it("tells operations apart by op, and takes a patch in both media types", () => {
    expect(document.components.schemas.patchSchema).toMatchObject({
      oneOf: ["add", "remove", "replace", "copy", "move"].map((op) => ({
        $ref: `#/components/schemas/${op}PatchSchema`,
      })),
      discriminator: { propertyName: "op", mapping: { add: "#/components/schemas/addPatchSchema" } },
    });
    expect(Object.keys(patch.requestBody.content)).toEqual([
      "application/json",
      "application/json-patch+json",
    ]);
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
    expect(faultsAt(schema, value)).toEqual([]);
  });
});

interface Example {
  name: string;
  schema: string;
  value: unknown;
}

function examples(): Example[] {
  return [put, patch].flatMap(({ operationId, requestBody, responses }) => [
    ...inContent(`${operationId} request`, requestBody.content),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      inContent(`${operationId} ${status}`, content),
    ),
  ]);
}

/** There is at least one for each media type. */
function inContent(place: string, content: object): Example[] {
  return Object.entries(content).flatMap(([mediaType, { schema, examples }]) => {
    const found = Object.entries<{ value: unknown }>(examples);
    expect(found.length).toBeGreaterThan(0);
    return found.map(([name, { value }]) => ({
      name: `${place} ${mediaType} ${name}`,
      schema: schema.$ref,
      value,
    }));
  });
}
