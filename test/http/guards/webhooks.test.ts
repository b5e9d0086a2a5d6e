/** The bodies that alarm systems send, as docs/GUARDS.md has them: each trips a guard. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();
const page = readFileSync("docs/GUARDS.md", "utf8");
const bodies = [...page.matchAll(/### ([^\n]+)\n.*?```json\n(.+?)```/gs)].map(([, name = "", body = ""]) => ({
  name,
  body,
}));

it("has a body of each alarm system", () => {
  const names = ["Alertmanager", "Grafana", "Datadog", "PagerDuty", "CloudWatch"];
  expect(bodies.map(({ name }) => name)).toEqual(names);
});

it.each(bodies)(
  "$name trips the guard with its body and a key that may do nothing else",
  async ({ name, body }) => {
    const place = { environment: "production" };
    const feature = await addFeature(burgee, {
      environments: { production: [variant("blue")] },
      enabled: true,
    });
    const key = await burgee.keyWith({ permission: "TRIP_GUARD", project: "default", ...place });
    await burgee.switch(feature, "off", { ...place, headers: { "burgee-guard": name } });

    const { status, json } = await burgee.send({
      method: "POST",
      path: `/api/admin/projects/default/environments/production/guards/${name}/trip`,
      body,
      headers: { "content-type": "application/json; charset=utf-8", authorization: `Bearer ${key}` },
      key: null,
    });

    expect([JSON.parse(body), status]).toEqual([expect.any(Object), 200]);
    expect(json.features).toMatchObject([{ feature, outcome: "undone" }]);
    expect((await burgee.storedEnvironment(feature, "production")).enabled).toBe(true);
  },
);

it.each(["{}", undefined])("a kill switch takes the body %s", async (body) => {
  const place = { environment: "production" };
  const feature = await addFeature(burgee, { environments: { production: [] }, enabled: true });
  const key = await burgee.keyWith({
    permission: "UPDATE_FEATURE_ENVIRONMENT",
    project: "default",
    ...place,
  });

  const { status } = await burgee.switch(feature, "off", {
    ...place,
    key,
    ...(body !== undefined && { body }),
  });

  expect(status).toBe(200);
});
