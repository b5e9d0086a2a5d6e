/** The projects of a caller, and the error. Each permission in every scope, and several together: test/http/access */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Caller, isAllowed, missingPermission, projectsWith } from "../../../lib/access/caller.ts";
import { NoAccessError } from "../../../lib/contract/errors.ts";
import { type Permission, type Permit, permissionSchema } from "../../../lib/contract/permissions.ts";
import { itProp } from "../../support/property.ts";

const holding = (...permits: Permit[]): Caller => ({ name: "pipeline", permits });

const shop = { project: "shop" };
const shopProduction = { project: "shop", environment: "production" };

describe("the projects in which a caller has a permission", () => {
  const permission = "UPDATE_FEATURE";
  const inShop: Permit = { permission, ...shop };
  const inOther: Permit = { permission, project: "other" };
  const admin: Permit = { permission: "ADMIN" };

  it.each<[Permit[], "all" | string[]]>([
    [[{ permission }], "all"],
    [[admin], "all"],
    [[inShop, { permission }], "all"],
    [
      [inShop, inOther],
      ["shop", "other"],
    ],
    [[{ ...admin, ...shop }], ["shop"]],
    [[inShop, { ...admin, ...shop }], ["shop"]],
    // An environment is not its project.
    [[{ permission, ...shopProduction }], []],
    [[{ permission, environment: "production" }], []],
    [[{ permission: "UPDATE_FEATURE_VARIANTS" }], []],
  ])("are of %j %j", (permits, projects) => {
    expect(projectsWith(holding(...permits), permission)).toEqual(projects);
  });

  const name = fc.constantFrom("shop", "blog", "docs");
  const anyPermission = fc.constantFrom<Permission>(...permissionSchema.options);
  const permit = fc.record(
    { permission: anyPermission, project: name, environment: name },
    { requiredKeys: ["permission"], noNullPrototype: true },
  );

  itProp([fc.array(permit, { maxLength: 4 }), anyPermission, name])(
    "are for any permits those in which the caller may act",
    (permits, permission, project) => {
      const caller = holding(...permits);

      const projects = projectsWith(caller, permission);

      expect(projects === "all" || projects.includes(project)).toBe(
        isAllowed(caller, permission, { project }),
      );
    },
  );
});

it.each([
  [{}, ""],
  [shop, ' in project "shop"'],
  [shopProduction, ' in environment "production" of project "shop"'],
  [{ environment: "production" }, ' in environment "production"'],
])("the error for a missing permission in %j ends with %j", (scope, where) => {
  const message = `The API key lacks the permission UPDATE_FEATURE${where}`;

  expect(missingPermission("UPDATE_FEATURE", scope)).toEqual(new NoAccessError(message));
});
