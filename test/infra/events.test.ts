/** What a stage with `events: bus` tells of a change: the pipes' own filters and templates, on what is really stored. */
import { readFileSync } from "node:fs";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { environmentItem, importStamp } from "../../infra/store/new-items.ts";
import { useBurgee } from "../support/burgee.ts";
import { replace } from "../support/patching.ts";
import { matches, render, type StreamRecord, toRecord } from "../support/pipe.ts";
import { tag, variant } from "../support/seed.ts";

const { Resources } = parse(readFileSync("infra/events.yml", "utf8"), { merge: true }).bus;
const page = readFileSync("infra/OPERATIONS.md", "utf8");

const burgee = useBurgee({
  projects: [{ id: "default", environments: ["production"] }],
  features: [
    {
      name: 'check"out',
      project: "default",
      tags: [tag("team-a")],
      environments: { production: { variants: [variant("blue"), variant("green")] } },
    },
  ],
});

interface Detail extends Record<string, unknown> {
  data: { variants: AttributeValue[] };
  preData: { variants: AttributeValue[] };
}

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
      detail: render(InputTemplate, record) as Detail,
    }));
}

/** The operations page shows an event as a whole, so it names each member that there is. */
function exampleOf(type: string) {
  const examples = [...page.matchAll(/```json\n(.+?)\n```/gs)].map(([, text]) => JSON.parse(text ?? ""));
  return examples.find((example) => example["detail-type"] === type);
}

const membersOf = (value: object): unknown =>
  Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, typeof inner]));

describe("a patch of an environment", () => {
  it("is an event with the variants before and after, in DynamoDB's own notation", async () => {
    const before = await burgee.storedEnvironment('check"out', "production");
    await burgee.patch('check"out', [replace("/0/stickiness", 'user"Id')]);
    const after = await burgee.storedEnvironment('check"out', "production");

    const [event, ...others] = eventsOf(toRecord(before, after));

    expect(others).toEqual([]);
    if (!event) throw new Error("there is no event");
    const { data, preData, ...rest } = event.detail;
    expect(event).toMatchObject({ source: "burgee", detailType: "feature-environment-variants-updated" });
    expect(rest).toEqual({
      type: "feature-environment-variants-updated",
      featureName: 'check"out',
      project: "default",
      environment: "production",
      createdBy: "admin",
      createdAt: after.changed?.at,
      requestId: after.changed?.request,
      revision: "2",
    });
    expect(unmarshall({ variants: { L: data.variants } })).toEqual({ variants: after.variants });
    expect(unmarshall({ variants: { L: preData.variants } })).toEqual({ variants: before.variants });
    const example = exampleOf("feature-environment-variants-updated");
    expect(membersOf(example.detail)).toEqual(membersOf(event.detail));
  });

  it("that changes nothing is no event, as nothing is written", async () => {
    burgee.wire.reset();
    await burgee.patch('check"out', []);

    expect(burgee.wire.calls.filter(({ operation }) => operation === "UpdateItem")).toEqual([]);
  });
});

describe("an update of tags", () => {
  it("is an event with all tags before and after", async () => {
    const before = await burgee.storedFeature('check"out');
    await burgee.putTags('check"out', { addedTags: [tag("team-b")], removedTags: [tag("team-a")] });
    const after = await burgee.storedFeature('check"out');

    const [event, ...others] = eventsOf(toRecord(before, after));

    expect(others).toEqual([]);
    expect(event).toMatchObject({ source: "burgee", detailType: "feature-tags-updated" });
    expect(event?.detail).toEqual({
      type: "feature-tags-updated",
      featureName: 'check"out',
      project: "default",
      createdBy: "admin",
      createdAt: after.changed?.at,
      requestId: after.changed?.request,
      data: { tags: { '["simple","team-b"]': { BOOL: true } } },
      preData: { tags: { '["simple","team-a"]': { BOOL: true } } },
    });
    expect(membersOf(exampleOf("feature-tags-updated").detail)).toEqual(membersOf({ ...event?.detail }));
  });
});

describe("no event is made of", () => {
  const item = environmentItem({
    project: "default",
    feature: "checkout",
    environment: "production",
    variants: [],
    stamp: importStamp(),
  });

  it.each([
    ["what is new", toRecord(undefined, item)],
    ["what is removed", toRecord(item, undefined)],
    ["an API key", toRecord({ pk: "KEY#1", sk: "KEY" }, { pk: "KEY#1", sk: "KEY" })],
    ["a project", toRecord({ pk: "PROJECT#a", sk: "PROJECT" }, { pk: "PROJECT#a", sk: "PROJECT" })],
  ])("%s", (_, record) => {
    expect(eventsOf(record)).toEqual([]);
  });
});
