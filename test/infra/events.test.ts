/** What a stage with `events: bus` reports of a change: the pipes' own filters and templates, on what is really stored. */
import { readFileSync } from "node:fs";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { Stamp } from "../../lib/features/stamp.ts";
import type { EnvironmentItem, FeatureItem } from "../../lib/store/items/items.ts";
import { reservationItem } from "../../lib/store/items/new-items.ts";
import { useBurgee } from "../support/burgee.ts";
import { replace } from "../support/patching.ts";
import { matches, render, type StreamRecord, toRecord } from "../support/pipe.ts";
import { tag, variant } from "../support/seed.ts";

const { Resources } = parse(readFileSync("infra/aws/events.yml", "utf8"), { merge: true });
const page = readFileSync("docs/OPERATIONS.md", "utf8");

const feature = 'check"out';
const burgee = useBurgee({
  projects: [{ id: "default", environments: ["production"] }],
  features: [
    {
      name: feature,
      project: "default",
      tags: [tag("team-a")],
      environments: { production: { variants: [variant("blue"), variant("green")] } },
    },
  ],
});

/** The events that the pipes make of it. */
function eventsOf(record: StreamRecord) {
  return ["VariantsEvents", "TagsEvents"]
    .map((name) => Resources[name].Properties)
    .filter(({ SourceParameters: { FilterCriteria } }) =>
      FilterCriteria.Filters.some(({ Pattern }: { Pattern: string }) => matches(JSON.parse(Pattern), record)),
    )
    .map(({ TargetParameters: { InputTemplate, EventBridgeEventBusParameters } }) => ({
      source: EventBridgeEventBusParameters.Source,
      detailType: EventBridgeEventBusParameters.DetailType,
      detail: render(InputTemplate, record) as object,
    }));
}

type Stored = EnvironmentItem | FeatureItem;

/** The members of an event by the operations page: it shows one type as a whole, and names what the other lacks. */
function membersOnPage(type: string): string[] {
  const [, example = ""] = /```json\n(.+?)\n```/s.exec(page) ?? [];
  const { detail } = JSON.parse(example);
  const [, lacking = ""] = new RegExp(`- \`${type}\` lacks (.+?)\\.`).exec(page) ?? [];
  return Object.keys(detail).filter((name) => !lacking.includes(`\`${name}\``));
}

/** The detail of the only event of a change. */
function detailOf(type: string, before: Stored, after: Stored): object {
  const [event, ...others] = eventsOf(toRecord(before, after));
  if (!event) throw new Error("there is no event");
  expect(others).toEqual([]);
  expect(event).toMatchObject({ source: "burgee", detailType: type });
  expect(membersOnPage(type).sort()).toEqual(Object.keys(event.detail).sort());
  return event.detail;
}

/** What every event says of a change that is stored. */
function always(type: string, change: Stamp | undefined) {
  const { at: createdAt, requestId } = change ?? {};
  return { type, featureName: feature, project: "default", createdBy: "admin", createdAt, requestId };
}

it("no event is made of what is new or removed, of an API key or of a project", async () => {
  const item = await burgee.storedEnvironment(feature, "production");
  const key = { pk: "KEY#1", sk: "KEY" };
  const project = { pk: "PROJECT#a", sk: "PROJECT" };

  expect(eventsOf(toRecord(undefined, item))).toEqual([]);
  expect(eventsOf(toRecord(item, undefined))).toEqual([]);
  for (const other of [key, project]) expect(eventsOf(toRecord(other, other))).toEqual([]);
});

it("no event is made of a creation, whose feature replaces the reservation of its name", async () => {
  const reservation = reservationItem(feature, "creation");

  expect(eventsOf(toRecord(reservation, await burgee.storedFeature(feature)))).toEqual([]);
});

it("a patch is an event with the variants before and after, in DynamoDB's own notation", async () => {
  const before = await burgee.storedEnvironment(feature, "production");
  const { headers } = await burgee.patchVariants(feature, [replace("/0/stickiness", 'user"Id')]);
  const after = await burgee.storedEnvironment(feature, "production");

  expect(detailOf("feature-environment-variants-updated", before, after)).toEqual({
    ...always("feature-environment-variants-updated", after.carriedNewest),
    environment: "production",
    changeId: headers["burgee-change"],
    reason: "",
    revision: String(before.revision + 1),
    data: { enabled: before.enabled, variants: marshall(after).variants?.L },
    preData: { enabled: before.enabled, variants: marshall(before).variants?.L },
  });
});

it("a switch is an event of the same type, with the state before and after", async () => {
  const before = await burgee.storedEnvironment(feature, "production");
  await burgee.switch(feature, "on", { headers: { "burgee-reason": "Launch" } });
  const after = await burgee.storedEnvironment(feature, "production");

  expect(detailOf("feature-environment-variants-updated", before, after)).toMatchObject({
    reason: "Launch",
    data: { enabled: true, variants: marshall(after).variants?.L },
    preData: { enabled: false, variants: marshall(before).variants?.L },
  });
});

it("an update of tags is an event with all tags before and after", async () => {
  const before = await burgee.storedFeature(feature);
  await burgee.putTags(feature, { addedTags: [tag("team-b")], removedTags: [tag("team-a")] });
  const after = await burgee.storedFeature(feature);

  expect(detailOf("feature-tags-updated", before, after)).toEqual({
    ...always("feature-tags-updated", after.lastWrite),
    data: { tags: { '["simple","team-b"]': { BOOL: true } } },
    preData: { tags: { '["simple","team-a"]': { BOOL: true } } },
  });
});
