/** The header that puts a change under a guard, and the permission to trip one. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { invalid, naming, noAccess } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import {
  addBlueFeature,
  addRed,
  afterMinutes,
  byName,
  guarded,
  idOf,
  production,
  requestsFor,
} from "./tripping.ts";

const burgee = useBurgee();
let feature: string;
beforeEach(async () => {
  feature = await addBlueFeature(burgee);
});
afterEach(() => void vi.useRealTimers());
const { patch, trip, featuresOf } = requestsFor(burgee, () => feature);

describe("Burgee-Guard", () => {
  it("is in the feature, in lists, and in the list of changes until the change is taken back", async () => {
    await patch(guarded("errors; for=2h"));
    const { json } = await burgee.getFeature(feature);
    const listed = await burgee.send({
      method: "GET",
      path: `/api/admin/projects/default/features?with=environments&limit=200`,
    });
    const changes = async () => (await burgee.getChanges(feature, production)).json.changes;
    const [made] = await changes();
    await trip();

    const { guard } = json.environments[1];
    const inList = listed.json.features.find(({ name }: { name: string }) => name === feature);
    const hours = (Date.parse(guard.until) - Date.parse(made.environments[0].writtenAt)) / 3_600_000;
    expect([guard.name, hours]).toEqual(["errors", 2]);
    expect(inList.environments[1].guard).toEqual(guard);
    expect(made).toMatchObject({ guard: "errors", environments: [{ guardedUntil: guard.until }] });
    expect((await changes())[1].environments[0]).not.toHaveProperty("guardedUntil");
    expect((await burgee.getFeature(feature)).json.environments[1]).not.toHaveProperty("guard");
  });

  it("is that of the first attempt in each environment", async () => {
    const keyed = (guard: string) => ({ headers: { "idempotency-key": feature, "burgee-guard": guard } });
    await burgee.patchVariants(feature, addRed, { ...byName, ...keyed("first; for=2h") });

    const again = await burgee.patchVariants(feature, addRed, { ...byName, ...keyed("second") });

    expect(again.status).toBe(200);
    expect(featuresOf(await trip("second"))).toEqual([]);
    expect(featuresOf(await afterMinutes(119, () => trip("first")))).toMatchObject([{ outcome: "undone" }]);
  });

  it.each([
    "",
    "a b",
    "a/b",
    "a; for=59s",
    "a; for=25h",
    "a; for=1d",
    "a; for=",
    "a; until=1m",
    "x".repeat(101),
  ])('refuses "%s" with 400', async (guard) => {
    expect(await patch(guarded(guard))).toEqual(invalid({ message: naming("Burgee-Guard", "30m") }));
  });

  it("is refused for an undo, and for tags", async () => {
    const change = idOf(await patch());

    const undo = await burgee.undo(feature, change, { ...production, ...guarded() });
    const tags = await burgee.putTags(feature, { addedTags: [], removedTags: [] }, guarded());

    expect([undo, tags]).toEqual(Array(2).fill(invalid({ message: naming("Burgee-Guard") })));
  });
});

describe("TRIP_GUARD", () => {
  it("allows trips and their dry runs in its environment, and nothing else", async () => {
    const key = await burgee.keyWith({
      permission: "TRIP_GUARD",
      project: "default",
      environment: "production",
    });
    await patch();

    const dry = await trip("errors", { key, query: "?dryRun=true" });
    const done = await trip("errors", { key });
    const elsewhere = await trip("errors", { key, environment: "development" });
    const read = await burgee.getVariants(feature, { key });

    expect([dry, done].map(featuresOf)).toMatchObject([[{ outcome: "would undo" }], [{ outcome: "undone" }]]);
    expect(elsewhere).toEqual(noAccess({ message: naming("TRIP_GUARD", '"development"') }));
    expect(read.status).toBe(403);
    expect(dry.json).not.toHaveProperty("missingPermissions");
  });

  it.each(["errors", "nothing"])(
    "is missing in the dry run of a key that may only read: %s",
    async (guard) => {
      const key = await burgee.keyWith({ permission: "READ" });
      await patch();

      const { status, json } = await trip(guard, { key, query: "?dryRun=true" });

      const missing = [{ permission: "TRIP_GUARD", environment: "production" }];
      expect([status, json.missingPermissions]).toEqual([200, missing]);
    },
  );
});
