/** Where a page of features with their environments ends. */
import { expect, it } from "vitest";
import { limits } from "../../../../lib/contract/limits.ts";
import { listWithEnvironments } from "../../../../lib/features/lists/list-features.ts";
import { emptyContent } from "../../../../lib/features/model.ts";
import type { ContentPage, ListReader } from "../../../../lib/features/stores.ts";
import { variant } from "../../../support/seed.ts";

const production = "production";

/**
 * Lists features that are in production, with what the index has of them there, in a project that has staging too. An
 * environment of theirs was removed from the project a moment ago.
 */
function listOf(names: readonly string[], page: ContentPage, limit = 10) {
  const environments = [production, "removed"];
  const reader: ListReader = {
    readProjects: async () => [],
    readProject: async (id) => ({ id, environments: [production, "staging"] }),
    readFeatures: async (_, range) =>
      names.slice(0, range.limit).map((name) => ({ name, tags: [], environments })),
    readListedContents: async (_, environment) =>
      environment === production ? page : { contents: new Map() },
  };
  return listWithEnvironments(reader, "default", { limit });
}

const contentOf = (value = "") => ({
  ...emptyContent,
  enabled: true,
  variants: [variant("blue", { payload: { type: "string", value } })],
});

const inAll = (names: readonly string[], value = "") =>
  new Map(names.map((name) => [name, contentOf(value)] as const));

function listed(name: string, value = "") {
  const { enabled, variants } = contentOf(value);
  return { name, tags: [], environments: [{ environment: production, enabled, variants }] };
}

it("a page has every feature of a short list, with its content in each environment", async () => {
  const contents = inAll(["a", "b"]);

  expect(await listOf(["a", "b"], { contents })).toEqual({ features: [listed("a"), listed("b")] });
});

it("a page lacks the environment of a feature that the index does not have yet", async () => {
  const { features } = await listOf(["a", "b"], { contents: inAll(["a"]) });

  expect(features).toEqual([listed("a"), { ...listed("b"), environments: [] }]);
});

it("a page ends at its limit", async () => {
  const names = ["a", "b", "c"];

  const page = await listOf(names, { contents: inAll(names) }, 2);

  expect(page).toEqual({ features: [listed("a"), listed("b")], next: "b" });
});

it("a page ends with the last feature that was read in each environment", async () => {
  const names = ["a", "b", "c", "d"];

  const page = await listOf(names, { contents: inAll(["a", "b", "c"]), end: "c" });

  expect(page).toEqual({ features: ["a", "b", "c"].map((name) => listed(name)), next: "c" });
});

it("the next page begins after the leftovers if no feature was read in each environment", async () => {
  const page = await listOf(["c", "d"], { contents: inAll(["a", "b"]), end: "b" }, 2);

  expect(page).toEqual({ features: [], next: "b" });
});

/** So that three features take as many bytes as fit. */
const empty = JSON.stringify(JSON.stringify(listed("a"))).length;
const available = limits.listBytes - JSON.stringify(JSON.stringify({})).length;
const third = "v".repeat(Math.floor(available / 3) - empty);
const rest = available - 3 * (empty + third.length);

it.each([
  ["has what just fits", rest, ["a", "b", "c"], undefined],
  ["ends before what would not fit", rest + 1, ["a", "b"], "b"],
])("a page %s in a response", async (_, more, names, next) => {
  const contents = inAll(["a", "b"], third).set("c", contentOf(third + "v".repeat(more)));

  const page = await listOf(["a", "b", "c"], { contents });

  expect([page.features.map(({ name }) => name), page.next]).toEqual([names, next]);
});

it("a page has at least one feature, even if that alone would not fit", async () => {
  const contents = inAll(["a", "b"], "v".repeat(limits.listBytes));

  const { features, next } = await listOf(["a", "b"], { contents });

  expect([features.length, next]).toEqual([1, "a"]);
});
