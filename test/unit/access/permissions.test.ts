/** Each permission in every scope, and several together: test/http/access */
import fc from "fast-check";
import { expect } from "vitest";
import { isAllowed, permissions, projectsWith } from "../../../lib/access/permissions.ts";
import { itProp } from "../../support/property.ts";

const name = fc.constantFrom("shop", "blog", "docs");
const anyPermission = fc.constantFrom(...permissions);
const permit = fc.record(
  { permission: anyPermission, project: name, environment: name },
  { requiredKeys: ["permission"], noNullPrototype: true },
);

itProp([fc.array(permit, { maxLength: 4 }), anyPermission, name])(
  "the projects in which a caller has a permission are those in which it may act, for any permits",
  (permits, permission, project) => {
    const caller = { name: "pipeline", permits };

    const projects = projectsWith(caller, permission);

    expect(projects === "all" || projects.includes(project)).toBe(isAllowed(caller, permission, { project }));
  },
);
