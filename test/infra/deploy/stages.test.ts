import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { findStage } from "../../../infra/deploy/stages.ts";

it.each([
  ["prod", true],
  ["staging", true],
  ["dev", false],
])(
  "%s is a stack of its own in the region of its settings; its alarms are silent: %j",
  (stage, lacksAlarmTopic) => {
    expect(findStage({ stage })).toEqual({
      name: stage,
      stack: `burgee-${stage}`,
      region: "us-east-1",
      lacksAlarmTopic,
      isCanary: stage === "prod",
    });
  },
);

it("a region that is asked for goes before", () => {
  expect(findStage({ stage: "prod", region: "eu-central-1" })).toMatchObject({ region: "eu-central-1" });
});

it.each(["production", "Prod", "constructor", "local"])("stage %j is refused, naming the stages", (stage) => {
  const message = `there is no stage "${stage}" in infra/stages.yml, which has prod, staging, dev: add it there first`;

  expect(() => findStage({ stage })).toThrow(message);
});

interface Rates {
  rateLimit: number;
  burstLimit: number;
  pathLimits: Record<string, { rate: number; burst: number }>;
}

const stages: Record<string, Rates> = parse(readFileSync("infra/stages.yml", "utf8"), { merge: true });

it.each(Object.entries(stages))(
  "the limits of the paths of %s add up to those of all",
  (_, { rateLimit, burstLimit, pathLimits }) => {
    const sum = (name: "rate" | "burst") =>
      Object.values(pathLimits).reduce((total, limits) => total + limits[name], 0);

    expect([sum("rate"), sum("burst")]).toEqual([rateLimit, burstLimit]);
  },
);
