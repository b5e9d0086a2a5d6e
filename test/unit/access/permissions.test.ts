/** How permits combine. Each permission in every scope: test/http/access/access.test.ts */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Caller, isAllowed, missingPermission, projectsWith } from "../../../lib/access/permissions.ts";
import { NoAccessError } from "../../../lib/contract/errors.ts";
import { type Permission, type Permit, permissionSchema } from "../../../lib/contract/permissions.ts";
import { itProp } from "../../support/property.ts";

const holding = (...permits: Permit[]): Caller => ({ name: "pipeline", permits });

const shop = { project: "shop" };
const other = { project: "other" };
const shopProduction = { project: "shop", environment: "production" };
const shopStaging = { project: "shop", environment: "staging" };
const otherProduction = { project: "other", environment: "production" };
const otherStaging = { project: "other", environment: "staging" };

it("several permits grant what any of them grants, and nothing that only both together would", () => {
  const permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";
  const permits = [shopStaging, otherProduction].map((scope) => ({ permission, ...scope }) as const);
  const caller = holding(...permits, { permission: "UPDATE_FEATURE", ...shop });

  const scopes = [
    shopStaging,
    otherProduction,
    shopProduction,
    otherStaging,
    { ...shopStaging, project: "Shop" },
  ];
  const allowed = scopes.filter((scope) => isAllowed(caller, permission, scope));

  expect(allowed).toEqual([shopStaging, otherProduction]);
});

describe("the projects in which a caller has a permission", () => {
  const permission = "UPDATE_FEATURE";
  const inShop: Permit = { permission, ...shop };
  const inOther: Permit = { permission, ...other };
  const admin: Permit = { permission: "ADMIN" };

  it.each<["all" | string[], ...Permit[]]>([
    ["all", { permission }],
    ["all", admin],
    ["all", inShop, { permission }],
    [["shop", "other"], inShop, inOther],
    [["shop"], { ...admin, ...shop }],
    [["shop"], inShop, { ...admin, ...shop }],
    // An environment is not its project.
    [[], { permission, ...shopProduction }],
    [[], { permission, environment: "production" }],
    [[], { permission: "UPDATE_FEATURE_VARIANTS" }],
  ])("are %j with the permits %j %j", (projects, ...permits) => {
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
