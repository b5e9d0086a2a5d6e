/** What is deployed stays small: a careless import can double a cold start without breaking any other test. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

it.each([
  { name: "tags", patches: false },
  { name: "variants", patches: true },
  { name: "read", patches: false },
])("the bundle of $name is at most 84 KB, compressed, patches: $patches", ({ name, patches }) => {
  const bundle = readFileSync(`dist/${name}.cjs`);

  expect(gzipSync(bundle).length / 1024).toBeLessThan(84);
  expect(bundle.includes("OPERATION_PATH_INVALID")).toBe(patches);
});

it("the bundle of tags has no schemas of strategies", () => {
  expect(readFileSync("dist/tags.cjs", "utf8")).not.toContain("STR_ENDS_WITH");
});
