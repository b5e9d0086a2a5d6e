/** What a dry run of a switch shows. */
import { expect, it } from "vitest";
import { outcomeAsFound } from "../../../../lib/features/change/outcome.ts";
import { reportPreview } from "../../../../lib/features/change/report.ts";
import { environmentState } from "../../../support/seed.ts";

it.each<[string | undefined, object]>([
  [undefined, {}],
  ["SDKs of flagd do not see it", { hint: "SDKs of flagd do not see it" }],
])(
  "the preview of a switch with the hint %j has the outcome, and a hint only if there is one",
  (hint, shown) => {
    const state = environmentState({ environment: "production", enabled: true });
    const toOn = { kind: "switch", enabled: true } as const;

    const { body } = reportPreview([outcomeAsFound(state, "unchanged", { hint })], toOn);

    const one = { environment: "production", enabled: true, outcome: "unchanged", difference: [], ...shown };
    expect(body).toStrictEqual({ version: 1, environments: [one] });
  },
);
