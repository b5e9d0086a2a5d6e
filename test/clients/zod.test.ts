/** The TypeScript client and the Zod schemas that hey-api makes of the OpenAPI document read every response. */
import path from "node:path";
import { startBurgee } from "burgee/local";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fetchPackages } from "../../infra/build/fetch.mjs";
import packageJson from "../../package.json" with { type: "json" };

// The newest one for Node 20.
const packages = ["@hey-api/openapi-ts@0.95.0", `typescript@${packageJson.devDependencies.typescript}`];
const modules = fetchPackages("hey-api", packages);
const output = path.resolve(".cache/clients/zod");

const { url, keys, reset } = await startBurgee();
const production = { projectId: "default", featureName: "checkout", environment: "production" };
const { environment: _, ...checkout } = production;
// biome-ignore lint/suspicious/noExplicitAny: the compiler does not know what is generated.
let sdk: any, zod: any;
let demo: object;
let reader: object;

beforeAll(async () => {
  const generator = await import(path.join(modules, "@hey-api/openapi-ts/dist/index.mjs"));
  const plugins = ["@hey-api/client-fetch", "zod", { name: "@hey-api/sdk", validator: true }];
  const logs = { level: "silent", file: false };
  await generator.createClient({ input: "infra/reference/openapi.json", output, plugins, logs });
  sdk = await import(path.join(output, "sdk.gen.ts"));
  zod = await import(path.join(output, "zod.gen.ts"));
  const { createClient } = await import(path.join(output, "client/index.ts"));
  const connect = (auth: string) => ({ client: createClient({ baseUrl: url, auth }) });
  demo = connect(keys.demo);
  reader = connect(keys.reader);
});
beforeEach(() => reset());

describe.each([
  {
    by: "index",
    addRed: [{ op: "add", path: "/-", value: { name: "red", weight: 100, weightType: "fix" } }],
    removeGreen: [{ op: "remove", path: "/1" }],
  },
  {
    by: "name",
    addRed: [{ op: "add", path: "/red", value: { weight: 100, weightType: "fix" } }],
    removeGreen: [{ op: "remove", path: "/green" }],
  },
])("with by=$by", ({ by, addRed, removeGreen }) => {
  it("reads variants", async () => {
    const { data } = await sdk.getFeatureVariants({ ...demo, path: checkout, query: { by } });

    expect(names(zod.zGetFeatureVariantsResponse.parse(data))).toEqual(["blue", "green"]);
  });

  it("reads the environments of a dry run", async () => {
    const query = { by, dryRun: true };
    const { data } = await sdk.patchFeatureVariants({ ...demo, path: checkout, query, body: addRed });

    const [development, , production] = zod.zPatchFeatureVariantsResponse.parse(data).environments;
    expect(development).toMatchObject({ environment: "development", outcome: "would patch" });
    expect(names(production)).toEqual(["blue", "red"]);
    expect(production.difference.at(-1)).toMatchObject({ op: "add" });
  });

  it("reads the permissions that a dry run lacks", async () => {
    const query = { by, dryRun: true };
    const { data } = await sdk.patchFeatureVariants({ ...reader, path: checkout, query, body: addRed });

    const { missingPermissions } = zod.zPatchFeatureVariantsResponse.parse(data);
    expect(missingPermissions).toContainEqual({ permission: "UPDATE_FEATURE_VARIANTS" });
  });

  it("patches, lists the change and undoes it", async () => {
    const { data, response } = await sdk.patchFeatureVariants({
      ...{ ...demo, path: checkout, query: { by } },
      body: addRed,
    });
    expect(names(zod.zPatchFeatureVariantsResponse.parse(data))).toEqual(["blue", "green", "red"]);

    const changeId = response.headers.get("burgee-change");
    const listed = await sdk.listFeatureChanges({ ...demo, path: checkout });
    expect(zod.zListFeatureChangesResponse.parse(listed.data).changes[0]).toMatchObject({ id: changeId });

    const undone = await sdk.undoFeatureChange({ ...demo, path: { ...checkout, changeId }, query: { by } });
    expect(names(zod.zUndoFeatureChangeResponse.parse(undone.data))).toEqual(["blue", "green"]);
  });

  it("reads why a strict patch is refused", async () => {
    const headers = { Prefer: "handling=strict" };
    const { error } = await sdk.patchFeatureVariants({
      ...{ ...demo, path: checkout, query: { by }, headers },
      body: removeGreen,
    });

    expect(zod.zErrorSchema.parse(error)).toMatchObject({
      name: "ValidationError",
      details: [{}, { outcome: "not attempted" }, { environment: "production", outcome: "failed" }],
    });
  });

  it("reads and patches one environment", async () => {
    const request = { ...demo, path: production, query: { by } };
    const { data } = await sdk.getEnvironmentFeatureVariants(request);
    const patched = await sdk.patchEnvironmentsFeatureVariants({ ...request, body: addRed });

    expect(names(zod.zGetEnvironmentFeatureVariantsResponse.parse(data))).toEqual(["blue"]);
    const body = zod.zPatchEnvironmentsFeatureVariantsResponse.parse(patched.data);
    expect(names(body)).toEqual(["blue", "red"]);
  });
});

it("reads projects and pages of features", async () => {
  const path = { projectId: "default" };
  const { projects } = zod.zListProjectsResponse.parse((await sdk.listProjects(demo)).data);
  const listFeatures = async (query: object) =>
    zod.zListFeaturesResponse.parse((await sdk.listFeatures({ ...demo, path, query })).data);

  const page = await listFeatures({ limit: 1 });
  const rest = await listFeatures({ after: page.next });

  expect(projects).toEqual([{ id: "default", environments: ["development", "staging", "production"] }]);
  expect([...page.features, ...rest.features].map(({ name }) => name)).toEqual([
    "cart-reminder",
    "checkout",
    "checkout-express",
    "dark-mode",
    "fraud-check",
    "search",
  ]);
  expect(rest).not.toHaveProperty("next");
});

it("updates tags", async () => {
  const path = { featureName: "checkout" };
  const tag = { type: "simple", value: "team-b" };
  await sdk.updateTags({ ...demo, path, body: { addedTags: [tag], removedTags: [] } });

  const { data } = await sdk.listTags({ ...demo, path });

  expect(zod.zListTagsResponse.parse(data).tags).toEqual([{ type: "simple", value: "team-a" }, tag]);
});

it("reads an error", async () => {
  const { error } = await sdk.listTags({ ...demo, auth: "unknown", path: { featureName: "checkout" } });

  expect(zod.zErrorSchema.parse(error)).toMatchObject({ name: "AuthenticationRequired" });
});

function names({ variants }: { variants: { name: string }[] | Readonly<Record<string, unknown>> }): string[] {
  return Array.isArray(variants) ? variants.map(({ name }) => name) : Object.keys(variants);
}
