/** What is deployed stays small: a careless import can double a cold start without breaking any other test. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { filesOfPage } from "../../.dependency-cruiser.mjs";
import { pageBuild } from "../../infra/build/patch-page.mjs";

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

it("the page bundles the modules of lib that are listed, and no others", async () => {
  const { metafile } = await build({ ...pageBuild, metafile: true });

  const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
  );
  expect(bundled.filter((file) => file.startsWith("lib/")).sort()).toEqual(filesOfPage);
});
