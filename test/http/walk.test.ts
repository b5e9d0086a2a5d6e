/** How much code one request runs through, counted by V8. */
import { Session } from "node:inspector/promises";
import { expect, it } from "vitest";
import { useBurgee } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addFeature } from "../support/seed.ts";

const burgee = useBurgee();

const ours = /\/(?:lib|functions)\/.*\.ts$/;

it("a patch of two environments runs code in at most 34 files of lib and functions", async () => {
  const feature = await addFeature(burgee, { environments: { development: [], production: [] } });
  const patch = (name: string) => burgee.patch(feature, [add("/-", { name, weight: 0 })]);
  await patch("warm-up");
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

  await patch("counted");

  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const files = result.filter(
    ({ url, functions }) =>
      ours.test(url) && functions.some(({ functionName, ranges }) => functionName && ranges[0]?.count),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(files.length).toBeLessThanOrEqual(34);
});
