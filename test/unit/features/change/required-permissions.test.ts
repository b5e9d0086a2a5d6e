/** The permissions that a patch of several aspects requires. */
import { expect, it } from "vitest";
import { requiredPermissions } from "../../../../lib/features/change/required-permissions.ts";
import type { Edit } from "../../../../lib/features/model.ts";
import { add, replace } from "../../../support/patching.ts";
import { environmentState } from "../../../support/seed.ts";

const edit: Edit = {
  kind: "patch",
  root: "environment",
  patch: [replace("/enabled", true), add("/variants/blue", { weight: 1 })],
};
const environments = [{ state: environmentState({ environment: "production" }) }];
const inProduction = ["UPDATE_FEATURE_ENVIRONMENT_VARIANTS", "UPDATE_FEATURE_ENVIRONMENT"].map(
  (permission) => ({ permission, environment: "production" }),
);

it("a patch of variants and of the switch in every environment requires the permission for variants everywhere too", () => {
  const target = { project: "p", feature: "f" };

  expect(requiredPermissions({ edit, target }, environments)).toEqual([
    { permission: "UPDATE_FEATURE_VARIANTS" },
    ...inProduction,
  ]);
});

it("a patch of variants and of the switch in one environment requires the permissions there alone", () => {
  const target = { project: "p", feature: "f", environment: "production" };

  expect(requiredPermissions({ edit, target }, environments)).toEqual(inProduction);
});
