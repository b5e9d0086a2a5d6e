/** The OpenAPI document: up to date, complete, and its examples valid. */
import { readFileSync } from "node:fs";
import { expect, inject, it, vi } from "vitest";
import { readRoutes } from "../../../infra/local/routes.ts";
import { document, faultsAt, type Operation } from "../../support/document.ts";

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

it("the committed document has the responses that the handlers give now", async () => {
  // The handlers read their settings when they are loaded.
  vi.resetModules();
  const { createDocument } = await import("../../../infra/reference/document.ts");

  const fresh = await createDocument(inject("engine"));

  const committed = readFileSync("infra/reference/openapi.json", "utf8");
  expect(fresh === committed, "infra/reference/openapi.json is out of date: npm run openapi").toBe(true);
}, 60_000);

it("has the paths that serverless.yml declares, and the names that clients generated from Unleash know", () => {
  // The functions have no handlers for changes yet, and respond with 404.
  const declared = readRoutes().map(({ path }) => path);
  expect(Object.keys(document.paths)).toEqual(declared.filter((path) => !path.includes("/changes")));
  expect(operations.map(({ operationId }) => operationId)).toEqual([
    ...["listTags", "updateTags"],
    ...["getFeatureVariants", "patchFeatureVariants"],
    ...["getEnvironmentFeatureVariants", "patchEnvironmentsFeatureVariants"],
  ]);
  const known = [
    ...["updateTagsSchema", "tagsSchema", "tagSchema", "patchesSchema", "patchSchema"],
    ...["featureVariantsSchema", "variantSchema", "overrideSchema", "errorSchema"],
  ];
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(known));
});

const refusals = ["400", "401", "403", "404", "405", "409", "412", "413", "415", "500", "503"];

it.each([
  ["get", ["200", "304", "400", "401", "403", "404", "405", "500", "503"]],
  ["put", ["200", "201", ...refusals]],
  ["patch", ["200", ...refusals]],
])("has every status that %s responds with", (method, statuses) => {
  const found = Object.values(document.paths).flatMap((methods) => methods[method] ?? []);

  for (const { responses } of found) expect(Object.keys(responses)).toEqual(statuses);
});

it("describes every operation, parameter, response, header, schema and member", () => {
  const schemas = Object.entries(document.components.schemas);
  const described: [name: string, unknown][] = [
    ...Object.entries(document.components.parameters),
    ...schemas,
    ...schemas.flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([member, schema]): [string, unknown] => [`${name}.${member}`, schema]),
    ),
    ...operations.flatMap(({ operationId, summary, responses }): [string, unknown][] => [
      [operationId, { description: summary }],
      ...Object.entries(responses),
      ...Object.values(responses).flatMap(({ headers = {} }) => Object.entries(headers)),
    ]),
  ];

  const missing = described.filter(([, value]) => /^$|undefined/.test(Object(value).description ?? ""));
  expect(missing.map(([name]) => name)).toEqual([]);
});

it.each(operations.flatMap(examples))("$name is valid by exactly one schema", ({ schema, value }) => {
  const issues = ("anyOf" in schema ? schema.anyOf : [schema]).map(({ $ref }) => faultsAt($ref, value));

  expect(issues.filter((list) => list.length === 0).length, issues.flat().join("\n")).toBe(1);
});

function examples({ operationId, requestBody, responses }: Operation) {
  const contents = [
    ...Object.entries(requestBody?.content ?? {}),
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).map((one) => [status, one] as const),
    ),
  ];
  return contents.flatMap(([place, { schema, examples = {} }]) =>
    Object.entries(examples).map(([example, { value }]) => ({
      name: `${operationId} ${place} ${example}`,
      schema,
      value,
    })),
  );
}
