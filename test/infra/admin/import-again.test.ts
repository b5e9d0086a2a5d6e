/** `import-unleash` again: after it was done, and after it was interrupted. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, it } from "vitest";
import { variant } from "../../support/seed.ts";
import { freshCommandLine, newFolder, run } from "./command-line.ts";
import { exportOf, recorded } from "./unleash-export.ts";

const folder = newFolder();

const line = freshCommandLine();

it("writes nothing the second time, and reads without a call for each feature", async () => {
  await line.run("import-unleash", ...recorded);
  line.burgee.wire.reset();

  const { code, out } = await line.run("import-unleash", ...recorded);

  expect({ code, first: out.split("\n")[0] }).toEqual({
    code: 0,
    first: "0 created, 0 updated, 0 removed, 6 as they were.",
  });
  expect(line.writes()).toEqual([]);
  expect(line.burgee.wire.calls.length).toBeLessThan(6);
});

it("goes on where it was interrupted, to the same end as if it had not been", async () => {
  const names = Array.from({ length: 120 }, (_, index) => `feature-${String(index).padStart(3, "0")}`);
  const files = ["development", "production"].map((environment) =>
    exportOf(folder, `many-${environment}`, {
      environment,
      lists: Object.fromEntries(names.map((name) => [name, [variant(`${environment}-of-${name}`)]])),
      tags: names.map((name) => [name, "simple", name]),
    }),
  );
  const child = line.start("import-unleash", ...files);
  let count = 0;
  line.burgee.wire.decide(() => {
    if (++count === 180) child.kill("SIGKILL");
    return "pass";
  });
  await once(child, "close");
  line.burgee.wire.reset();
  const left = JSON.parse(await line.exported()).features.length;
  line.burgee.wire.reset();

  const { code, out } = await line.run("import-unleash", ...files);

  expect({ signal: child.signalCode, code }).toEqual({ signal: "SIGKILL", code: 0 });
  expect(left).toBeGreaterThan(10);
  expect(left).toBeLessThan(110);
  expect(out.split("\n")[0]).toBe(`${120 - left} created, 0 updated, 0 removed, ${left + 2} as they were.`);
  // Environments of features that were being created are written again, as they could be left of a deletion.
  expect(line.writes()).toHaveLength(3 * (120 - left));
  const elsewhere = line.at(`burgee-${randomUUID()}`);
  await run([...elsewhere, "import-unleash", ...files]);
  const uninterrupted = JSON.parse((await run([...elsewhere, "export"])).out);
  const { projects, features } = JSON.parse(await line.exported());
  expect({ projects, features }).toEqual({
    projects: uninterrupted.projects,
    features: uninterrupted.features,
  });
  expect(features.length).toBe(120);
});
