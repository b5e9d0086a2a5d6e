/** Query parameters: what is plainly a misspelt dryRun or by must not write. */
import { describe, expect, it } from "vitest";
import { invalid, naming } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const environments = { development: [variant("blue")] };
const writes = () => burgee.wire.calls.filter(({ operation }) => operation === "UpdateItem");

const routes: [string, (feature: string, query: string) => ReturnType<typeof burgee.send>][] = [
  [
    "a tag update",
    (feature, query) =>
      burgee.send({
        method: "PUT",
        path: `/api/admin/features/${feature}/tags?${query}`,
        json: { addedTags: [tag("added")], removedTags: [] },
      }),
  ],
  ...["", "/environments/development"].map((environment): (typeof routes)[number] => [
    `a patch at ${environment || "the feature"}`,
    (feature, query) =>
      burgee.send({
        method: "PATCH",
        path: `/api/admin/projects/default/features/${feature}${environment}/variants?${query}`,
        json: [add("/0/stickiness", "userId")],
      }),
  ]),
];

describe.each(routes)("%s", (_, send) => {
  it.each([
    "dryRun[]=true",
    "+dryRun=true",
    "dryRun%20=true",
    "dry_run=true",
    "DRYRUN=1",
    "dryrun",
    "dry-run=true",
    "dryRn=true",
    "dryRunn=true",
    "drRun=true",
    "ddryRun=true",
    "dyrRun=true",
    "dryFun=true",
    "dryRun1=true",
    "%00dryRun=true",
    "a=1&Dry.Run=true",
  ])("with ?%s is refused with 400 that names dryRun, and writes nothing", async (query) => {
    const feature = await addFeature(burgee, { environments });
    burgee.wire.reset();

    expect(await send(feature, query)).toEqual(invalid({ message: naming("dryRun") }));
    expect(writes()).toEqual([]);
  });

  it.each(["By=name", "BY=name", "by[]=name", "_by=1"])(
    "with ?%s is refused with 400 that names by",
    async (query) => {
      const feature = await addFeature(burgee, { environments });

      expect(await send(feature, query)).toEqual(invalid({ message: naming("by") }));
    },
  );

  it.each(["", "x=1", "run=true", "dry=true", "dryRunner=true", "try=1", "bye=1", "b=1", "d=1&r=2", "dr=1"])(
    "ignores ?%s",
    async (query) => {
      const feature = await addFeature(burgee, { environments });

      expect([200, 201]).toContain((await send(feature, query)).status);
    },
  );

  it.each(["dryRun=yes", "dryRun=", "dryRun=TRUE", "dryRun=true&dryRun=false"])(
    "with ?%s is refused with 400",
    async (query) => {
      const feature = await addFeature(burgee, { environments });

      expect(await send(feature, query)).toEqual(invalid());
    },
  );
});

it("a read ignores them all", async () => {
  const feature = await addFeature(burgee, { environments });

  const { status } = await burgee.send({
    method: "GET",
    path: `/api/admin/features/${feature}/tags?dryRun[]=true&By=name`,
  });

  expect(status).toBe(200);
});
