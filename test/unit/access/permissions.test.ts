import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Caller, isAllowed, missingPermission, projectsWith } from "../../../lib/access/permissions.ts";
import { NoAccessError } from "../../../lib/contract/errors.ts";
import { type Permission, type Permit, permissionSchema } from "../../../lib/contract/permissions.ts";

interface Scope {
  project: string;
  environment?: string;
}

const holding = (...permits: Permit[]): Caller => ({ name: "pipeline", permits });

const shop = { project: "shop" };
const shopProduction = { project: "shop", environment: "production" };
const shopStaging = { project: "shop", environment: "staging" };
const other = { project: "other" };
const otherProduction = { project: "other", environment: "production" };

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

describe("several permits", () => {
  it("grant what any of them grants, and nothing that only both together would", () => {
    const caller = holding(
      { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", project: "shop", environment: "staging" },
      { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", project: "blog", environment: "production" },
      { permission: "UPDATE_FEATURE", project: "shop" },
    );
    const ask = (project: string, environment: string) =>
      isAllowed(caller, "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project, environment });

    expect(ask("shop", "staging")).toBe(true);
    expect(ask("blog", "production")).toBe(true);
    expect(ask("shop", "production")).toBe(false);
    expect(ask("blog", "staging")).toBe(false);
  });
});

describe("the projects in which a caller has a permission", () => {
  const permission = "UPDATE_FEATURE";

  const admin = { permission: "ADMIN" as const };

  it.each<[Permit[], "all" | string[]]>([
    [[{ permission }], "all"],
    [[admin], "all"],
    [[{ permission, project: "shop" }, { permission }], "all"],
    [
      [
        { permission, project: "shop" },
        { permission, project: "blog" },
      ],
      ["shop", "blog"],
    ],
    [[{ ...admin, project: "shop" }], ["shop"]],
    [
      [
        { permission, project: "shop" },
        { ...admin, project: "shop" },
      ],
      ["shop"],
    ],
    // An environment is not its project.
    [[{ permission, ...shopProduction }], []],
    [[{ permission, environment: "production" }], []],
    [[{ permission: "UPDATE_FEATURE_VARIANTS" }], []],
  ])("are of %j %j", (permits, projects) => {
    expect(projectsWith(holding(...permits), permission)).toEqual(projects);
  });

  it("are for any permits those in which the caller may act", () => {
    const name = fc.constantFrom("shop", "blog", "docs");
    const permit = fc.record(
      { permission: fc.constantFrom(...permissionSchema.options), project: name, environment: name },
      { requiredKeys: ["permission"], noNullPrototype: true },
    );
    const asked = fc.constantFrom<Permission>(...permissionSchema.options);
    fc.assert(
      fc.property(fc.array(permit, { maxLength: 4 }), asked, name, (permits, permission, project) => {
        const caller = holding(...permits);

        const projects = projectsWith(caller, permission);

        expect(projects === "all" || projects.includes(project)).toBe(
          isAllowed(caller, permission, { project }),
        );
      }),
    );
  });
});

describe("the error for a missing permission", () => {
  it.each([
    [{}, "The API key lacks the permission UPDATE_FEATURE"],
    [{ project: "shop" }, 'The API key lacks the permission UPDATE_FEATURE in project "shop"'],
    [
      { project: "shop", environment: "production" },
      'The API key lacks the permission UPDATE_FEATURE in environment "production" of project "shop"',
    ],
    [
      { environment: "production" },
      'The API key lacks the permission UPDATE_FEATURE in environment "production"',
    ],
  ])("for %j is %j", (scope, message) => {
    expect(missingPermission("UPDATE_FEATURE", scope)).toEqual(new NoAccessError(message));
  });
});
