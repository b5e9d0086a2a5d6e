/** What is deployed stays small: a careless import can double a cold start without breaking any other test. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

// Strategies, who moves, creations and guards are in the bundle of variants alone; they are 24 of its KiB.
it.each([
  { name: "tags", patches: false, most: 62 },
  { name: "variants", patches: true, most: 90 },
  { name: "read", patches: false, most: 65 },
])("the bundle of $name is at most $most KiB, compressed, patches: $patches", ({ name, patches, most }) => {
  const bundle = readFileSync(`dist/${name}.cjs`);

  expect(gzipSync(bundle).length / 1024).toBeLessThan(most);
  expect(bundle.includes("OPERATION_PATH_INVALID")).toBe(patches);
  // It is external.
  expect(bundle.includes("event-streams")).toBe(false);
});

it("the bundle of tags has no schemas of strategies", () => {
  expect(readFileSync("dist/tags.cjs", "utf8")).not.toContain("STR_ENDS_WITH");
});
