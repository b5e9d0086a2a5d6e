/** The OpenAPI document: up to date, complete, and its examples valid. */
import { readFileSync } from "node:fs";
import { expect, inject, it } from "vitest";
import * as read from "../../../functions/read.ts";
import * as tags from "../../../functions/tags.ts";
import * as variants from "../../../functions/variants.ts";
import { declaredRoutes } from "../../../infra/local/routes.ts";
import { createDocument } from "../../../infra/reference/openapi.ts";
import type { Route } from "../../../lib/http/route.ts";
import { createClient } from "../../../lib/store/dynamodb/client.ts";
import { isAmazons } from "../../support/burgee.ts";
import { type Content, document, issuesBySchema } from "../../support/document.ts";
import { settingsOf } from "../../support/table.ts";

/** With the members of each object in one order. */
function inOrder(text: string): string {
  return JSON.stringify(JSON.parse(text), (_, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

it("the committed document has the responses that the handlers give now", async () => {
  Object.assign(process.env, settingsOf(inject("engine")));
  const fresh = await createDocument(createClient());

  const committed = readFileSync("infra/reference/openapi.json", "utf8");
  // Amazon's engine returns the members of a map in another order.
  const [left, right] = isAmazons ? [fresh, committed].map(inOrder) : [fresh, committed];
  expect(left === right, "infra/reference/openapi.json is out of date: npm run openapi").toBe(true);
}, 60_000);

it("has every schema that it refers to, in discriminators too", () => {
  const names = Object.keys(document.components.schemas).map((name) => `"#/components/schemas/${name}"`);
  const referred = JSON.stringify(document).match(/"#\/components\/schemas\/[^"]*"/g) ?? [];

  expect(referred.filter((reference) => !names.includes(reference))).toEqual([]);
});

it("has the paths of the API that serverless.yml declares, and the names that clients generated from Unleash know", () => {
  const declared = [...new Set(declaredRoutes.map(({ path }) => path))];
  const client = "/api/projects/{projectId}/environments/{environment}/client";
  // What SDKs send by themselves, and the page.
  const others = [`${client}/register`, `${client}/metrics`, "/patch"];
  expect([...Object.keys(document.paths), ...others]).toEqual(declared);
  expect(operations.map(({ operationId }) => operationId)).toEqual([
    ...["listTags", "updateTags"],
    ...[
      "createFeature",
      "listFeatures",
      "archiveFeature",
      "getFeature",
      "patchFeature",
      "restoreFeature",
      "getFeatureEnvironment",
      "patchFeatureEnvironment",
    ],
    ...["getFeatureStrategies", "addFeatureStrategy", "getFeatureStrategy"],
    ...["updateFeatureStrategy", "deleteFeatureStrategy", "patchFeatureStrategy"],
    ...["toggleFeatureOn", "toggleFeatureOff"],
    ...["toggleFeatureEnvironmentOn", "toggleFeatureEnvironmentOff"],
    ...["getFeatureVariants", "patchFeatureVariants"],
    ...["getEnvironmentFeatureVariants", "patchEnvironmentsFeatureVariants"],
    ...[
      "listFeatureChanges",
      "undoFeatureChange",
      "listEnvironmentChanges",
      "undoEnvironmentChange",
      "tripGuard",
    ],
    ...["listProjects", "getClientFeatures", "getFlagdDocument"],
  ]);
  const known = [
    ...["updateTagsSchema", "tagsSchema", "tagSchema", "patchesSchema", "patchSchema"],
    ...["featureVariantsSchema", "variantSchema", "overrideSchema", "errorSchema"],
  ];
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(known));
});

it("describes every operation, parameter, response, header, schema and member", () => {
  const { parameters, schemas, responses } = document.components;
  const described: [name: string, unknown][] = [
    ...Object.entries({ ...parameters, ...schemas, ...responses }),
    ...Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([member, schema]): [string, unknown] => [`${name}.${member}`, schema]),
    ),
    ...operations.map(({ operationId, summary }): [string, unknown] => [
      operationId,
      { description: summary },
    ]),
    ...Object.values(responses).flatMap(({ headers = {} }) => Object.entries(headers)),
  ];

  const missing = described.filter(([, value]) => /^$|undefined/.test(Object(value).description ?? ""));
  expect(missing.map(([name]) => name)).toEqual([]);
});

it("names both permissions of a change in every environment", () => {
  const inEvery = operations.filter(({ operationId = "" }) =>
    ["patchFeatureVariants", "undoFeatureChange"].includes(operationId),
  );
  const needed =
    "`UPDATE_FEATURE_VARIANTS` in the feature's project, and `UPDATE_FEATURE_ENVIRONMENT_VARIANTS` in each environment of the feature";

  expect(inEvery.map(({ description }) => description)).toEqual(
    Array(2).fill(expect.stringContaining(needed)),
  );
});

it("names the permissions that a route requires, and no others", () => {
  const routes: Readonly<Record<string, Pick<Route<never>, "permission">>> = {
    ...tags.routes,
    ...variants.routes,
    ...read.routes,
  };
  const named = operations.map(({ operationId = "", description = "" }) => {
    const [, requirement = ""] = description.split("Requires");
    return [operationId, new Set([...requirement.matchAll(/[A-Z]+_[A-Z_]+/g)].map(String))];
  });

  const required = operations.map(({ operationId = "" }) => {
    const permissions = [routes[operationId]?.permission ?? []].flat();
    // Variants require one in each environment too.
    if (permissions.includes("UPDATE_FEATURE_VARIANTS"))
      permissions.push("UPDATE_FEATURE_ENVIRONMENT_VARIANTS");
    const excluded = ["any reader", "CLIENT"].includes(permissions.join()) ? ["TRIP_GUARD"] : undefined;
    return [operationId, new Set<string>(excluded ?? permissions)];
  });
  expect(named).toEqual(required);
});

it("a 405 allows the methods of a path that another function has", () => {
  const functions = { tags, variants, read };
  const routes = Object.entries(functions).flatMap(([name, { routes }]) =>
    Object.values<Pick<Route<never>, "method" | "path" | "otherMethods">>(routes).map((route) => ({
      ...route,
      name,
    })),
  );
  // API Gateway sends the methods that no function has to the function of `*`.
  for (const { path, function: own } of declaredRoutes.filter(({ method }) => method === "*")) {
    const at = routes.filter((route) => route.path === path);
    const others = at.filter(({ name }) => name !== own.name).map(({ method }) => method);
    const named = at.filter(({ name }) => name === own.name).flatMap(({ otherMethods = [] }) => otherMethods);

    expect(named, path).toEqual(others);
  }
});

it("Schemathesis knows with which statuses each operation may refuse a valid request", () => {
  const text = readFileSync("test/schemathesis/schemathesis.toml", "utf8");
  const lists = [...text.matchAll(/^include-operation-id = (.*)$/gm)].map(([, list = ""]) => list);
  const configured = lists.flatMap((list) => [...list.matchAll(/"(\w+)"/g)].map(([, id]) => id));

  // A trip refuses none.
  const ids = operations.map(({ operationId }) => operationId).filter((id) => id !== "tripGuard");
  expect(configured.toSorted()).toEqual(ids.toSorted());
});

it("names one media type for each body, as generated clients cannot choose between two", () => {
  const types = operations.map(({ requestBody }) => Object.keys(requestBody?.content ?? {}).join());

  expect(new Set(types)).toEqual(new Set(["", "application/json"]));
});

it("declares for each operation what API Gateway responds with when it throttles", () => {
  const without = operations.filter(({ responses }) => !("429" in responses));

  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

const contents: [string, Content][] = [
  ...operations.flatMap(({ operationId, requestBody }) =>
    Object.entries(requestBody?.content ?? {}).map(([type, one]): [string, Content] => [
      `${operationId} ${type}`,
      one,
    ]),
  ),
  ...Object.entries(document.components.responses).flatMap(([name, { content = {} }]) =>
    Object.values(content).map((one): [string, Content] => [name, one]),
  ),
];

it.each(
  contents.flatMap(([place, { schema, examples }]) =>
    Object.entries(examples).map(([name, { value }]) => ({ name: `${place}: ${name}`, schema, value })),
  ),
)("$name is valid by exactly one schema", ({ schema, value }) => {
  const issues = ("anyOf" in schema ? schema.anyOf : [schema]).map(({ $ref }) => issuesBySchema($ref, value));

  expect(issues.filter((list) => list.length === 0).length, issues.flat().join("\n")).toBe(1);
});
