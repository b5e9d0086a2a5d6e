import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Caller, isAllowed, missingPermission, projectsWith } from "../../../lib/access/permissions.ts";
import { NoAccessError } from "../../../lib/contract/errors.ts";
import { type Permission, type Permit, permissionSchema } from "../../../lib/contract/permissions.ts";
import { itProp } from "../../support/property.ts";

type Scope = Parameters<typeof isAllowed>[2];

const holding = (...permits: Permit[]): Caller => ({ name: "pipeline", permits });

const shop = { project: "shop" };
const shopProduction = { project: "shop", environment: "production" };
const shopStaging = { project: "shop", environment: "staging" };
const other = { project: "other" };
const otherProduction = { project: "other", environment: "production" };
const otherStaging = { project: "other", environment: "staging" };

/** Where a permit holds, where it is granted, and where it is not. */
const scopes: [held: Partial<Permit>, granted: Scope[], denied: Scope[]][] = [
  [{}, [shop, shopProduction], []],
  [shop, [shop, shopProduction], [{ project: "Shop" }, other, otherProduction]],
  [{ environment: "production" }, [shopProduction, otherProduction], [shop, shopStaging]],
  [shopProduction, [shopProduction], [shop, shopStaging, otherProduction]],
];

describe.each(permissionSchema.options)("the permission %s", (permission) => {
  it.each(scopes)(
    "held in %j, or ADMIN held there, is granted in %j alone, not in %j",
    (held, granted, denied) => {
      for (const caller of [holding({ permission, ...held }), holding({ permission: "ADMIN", ...held })]) {
        expect(granted.filter((asked) => !isAllowed(caller, permission, asked))).toEqual([]);
        expect(denied.filter((asked) => isAllowed(caller, permission, asked))).toEqual([]);
      }
    },
  );

  it("is granted neither by another permission nor by none", () => {
    const others = permissionSchema.options.filter((one) => one !== permission && one !== "ADMIN");
    for (const caller of [holding(), ...others.map((permission) => holding({ permission }))]) {
      expect(isAllowed(caller, permission, shop)).toBe(false);
      expect(projectsWith(caller, permission)).toEqual([]);
    }
  });
});

it("several permits grant what any of them grants, and nothing that only both together would", () => {
  const permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";
  const permits = [shopStaging, otherProduction].map((scope) => ({ permission, ...scope }) as const);
  const caller = holding(...permits, { permission: "UPDATE_FEATURE", project: "shop" });

  const scopes = [shopStaging, otherProduction, shopProduction, otherStaging];
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
