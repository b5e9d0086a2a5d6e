/** Alarms that must undo nothing, because no change that is on top is under their guard. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";
import { nearDeadlineAfter } from "../../support/time.ts";
import { isUpdate } from "../../support/wire.ts";
import { addBlueFeature, afterMinutes, byName, guarded, idOf, production, requestsFor } from "./tripping.ts";

const burgee = useBurgee();
let feature: string;
beforeEach(async () => {
  feature = await addBlueFeature(burgee);
});
afterEach(() => void vi.useRealTimers());
const { patch, trip, featuresOf, names } = requestsFor(burgee, () => feature);

describe("false alarms undo nothing", () => {
  /** Makes three changes, the first and the last under the guard, whose trip undoes the last. Returns the id of the second. */
  async function tripAboveTwo(options: object): Promise<string> {
    await burgee.switch(feature, "off", { ...production, ...guarded() });
    const second = idOf(await burgee.switch(feature, "on", { ...production, ...options }));
    await patch();
    await trip();
    return second;
  }

  const revision = async () =>
    JSON.stringify((await burgee.storedEnvironment(feature, "production")).revision);

  /** What happens before the alarm, and the alarm itself. */
  interface FalseAlarm {
    name: string;
    before(): Promise<unknown>;
    alarm?(): ReturnType<typeof trip>;
  }

  const later: FalseAlarm[] = [
    {
      name: "after the time is over",
      before: () => patch(guarded("errors; for=1m")),
      alarm: () => afterMinutes(1, trip),
    },
    {
      name: "after the time is over, below a later change",
      async before() {
        await patch(guarded("errors; for=1m"));
        await burgee.switch(feature, "off", production);
      },
      alarm: () => afterMinutes(1, trip),
    },
    { name: "after 30 minutes by default", before: () => patch(), alarm: () => afterMinutes(30, trip) },
  ];

  const ofOlderChanges: FalseAlarm[] = [
    {
      name: "after a trip, of an older change under the same guard",
      async before() {
        await burgee.switch(feature, "off", { ...production, ...guarded() });
        await patch();
        await trip();
      },
    },
    ...[guarded(), guarded("other"), {}].flatMap((options): FalseAlarm[] => [
      {
        name: `after a trip, of an older change below another, which is undone by hand: ${JSON.stringify(options)}`,
        before: async () => burgee.undo(feature, await tripAboveTwo(options), production),
      },
      {
        name: `after a trip, of an older change below another, which is undone by hand after a later change: ${JSON.stringify(options)}`,
        async before() {
          const second = await tripAboveTwo(options);
          await burgee.undo(feature, idOf(await burgee.switch(feature, "off", production)), production);
          await burgee.undo(feature, second, production);
        },
      },
      {
        name: `after a trip, of an older change below two others: ${JSON.stringify(options)}`,
        async before() {
          await tripAboveTwo(options);
          await burgee.switch(feature, "off", production);
        },
      },
    ]),
    ...[1, 5].map(
      (count): FalseAlarm => ({
        name: `after a trip, of an older change under the same guard below later changes: ${count}`,
        async before() {
          await burgee.switch(feature, "off", { ...production, ...guarded() });
          await patch();
          await trip();
          for (let left = count; left > 0; left--) {
            await burgee.switch(feature, left % 2 === 1 ? "on" : "off", production);
          }
        },
      }),
    ),
  ];

  const alarms: FalseAlarm[] = [
    { name: "without a guard", before: () => patch({ headers: {} }) },
    { name: "of another guard", before: () => patch(), alarm: () => trip("latency") },
    { name: "of a guard in another letter case", before: () => patch(), alarm: () => trip("Errors") },
    {
      name: "in another environment",
      before: () => patch(),
      alarm: () => trip("errors", { environment: "development" }),
    },
    { name: "twice", before: () => patch().then(() => trip()) },
    { name: "after an undo", before: async () => burgee.undo(feature, idOf(await patch()), production) },
    ...later,
    ...ofOlderChanges,
  ];

  it.each(alarms.map((one) => [one.name, one] as const))(
    "%s",
    async (_, { before, alarm = () => trip() }) => {
      await before();
      const stored = await revision();

      const tripped = await alarm();

      expect([tripped.status, featuresOf(tripped), await revision()]).toEqual([200, [], stored]);
    },
  );

  it.each<[string, () => Promise<{ headers: Record<string, string> }>]>([
    [
      "a patch",
      () =>
        burgee.patchVariants(feature, [replace("/blue/stickiness", "userId")], { ...byName, ...production }),
    ],
    ["a patch under another guard", () => patch({ ...guarded("other"), ...byName })],
    ["a kill switch", () => burgee.switch(feature, "off", production)],
  ])("after %s: the newest decision stands, and the response says so", async (_, later) => {
    const change = idOf(
      await burgee.patchFeature(feature, [add("/variants/green", { weight: 0 })], {
        ...production,
        ...guarded(),
      }),
    );
    const newer = idOf(await later());
    const stored = await revision();

    const tripped = await trip();

    const message = expect.stringContaining(newer);
    expect(featuresOf(tripped)).toEqual([{ feature, change, outcome: "changed since", message }]);
    expect(await revision()).toBe(stored);
  });

  it("after several under the guard and one without: the response has the newest of them", async () => {
    // The ids follow from the name and the keys. The table has the changes in the order of their ids.
    const name = "changed-thrice";
    await addFeature(burgee, { name, environments: { production: [variant("blue")] } });
    const ids: string[] = [];
    for (const [index, key] of ["a", "b", "c"].entries()) {
      const switched = await burgee.switch(name, index % 2 === 0 ? "on" : "off", {
        ...production,
        headers: { "idempotency-key": key, "burgee-guard": "thrice" },
      });
      ids.push(idOf(switched));
    }
    const newest = ids.at(-1);
    expect(ids.toSorted().indexOf(newest ?? "")).toBe(1);
    await burgee.switch(name, "off", production);

    const { json } = await trip("thrice");

    expect(json.features).toMatchObject([{ feature: name, change: newest, outcome: "changed since" }]);
  });

  it("after a change that is made while the guard trips: the newest decision stands", async () => {
    const change = idOf(await patch());
    burgee.wire.beforeFirst(isUpdate, () => burgee.switch(feature, "off", production));

    const tripped = await trip();

    const message = expect.stringContaining("the feature was changed later by ");
    expect(featuresOf(tripped)).toEqual([{ feature, change, outcome: "changed since", message }]);
    expect(log.at(-1)).not.toHaveProperty("error");
  });

  it("while another trip of the guard undoes the change", async () => {
    await patch();
    burgee.wire.beforeFirst(isUpdate, () => trip());

    expect(featuresOf(await trip())).toEqual([]);
    expect(await names()).toEqual(["blue"]);
  });

  it("of a feature that is deleted by now", async () => {
    await patch();
    await burgee.remove(await burgee.storedFeature(feature));

    expect(featuresOf(await trip())).toEqual([]);
  });

  it("of a feature that is deleted while the guard trips", async () => {
    await patch();
    burgee.wire.beforeFirst(isUpdate, () =>
      burgee.send({ method: "DELETE", path: `/api/admin/projects/default/features/${feature}` }),
    );

    expect(featuresOf(await trip())).toEqual([]);
  });

  it("of a change that was never made, whose writer ended before its write", async () => {
    burgee.wire.decideWrites(() => ({ error: "InternalServerError" }));
    await patch({
      remainingMs: nearDeadlineAfter(burgee.wire, ({ operation }) => operation === "BatchWriteItem"),
    });
    burgee.wire.reset();

    expect(featuresOf(await trip())).toEqual([]);
  });
});
