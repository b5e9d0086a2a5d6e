import { describe, expect, it } from "vitest";
import { refused, unauthenticated } from "../../support/answers.ts";
import { adminKey, useBurgee } from "../../support/burgee.ts";
import { deliver, type FunctionName } from "../../support/deliver.ts";
import { toEvent } from "../../support/event.ts";
import { log } from "../../support/log.ts";

useBurgee();

const whole = {
  tags: toEvent({
    method: "PUT",
    path: "/api/admin/features/any/tags",
    headers: { authorization: adminKey, "content-type": "application/json" },
    body: '{"addedTags":[],"removedTags":[]}',
  }),
  variants: toEvent({
    method: "PATCH",
    path: "/api/admin/projects/default/features/any/variants",
    headers: { authorization: adminKey, "content-type": "application/json" },
    body: "[]",
  }),
};

const without = (name: string) => (event: object) =>
  Object.fromEntries(Object.entries(event).filter(([member]) => member !== name));

const malformations: [string, (event: object) => unknown][] = [
  ["null", () => null],
  ["no object", () => "event"],
  ["an empty object", () => ({})],
  ["an event of another source", () => ({ Records: [{ eventSource: "aws:sqs", body: "{}" }] })],
  ["an event without a request context", without("requestContext")],
  ["an event with an empty request context", (event) => ({ ...event, requestContext: {} })],
  ["an event without a route", without("routeKey")],
  ["an event without a path", without("rawPath")],
  [
    "an event with neither route nor path",
    (event) => ({ ...event, routeKey: undefined, rawPath: undefined }),
  ],
  ["a path that is a number", (event) => ({ ...event, routeKey: undefined, rawPath: 12 })],
  ["a header that is a list", (event) => ({ ...event, headers: { authorization: [adminKey] } })],
  ["a body that is null", (event) => ({ ...event, body: null })],
  ["a body that is an object", (event) => ({ ...event, body: {} })],
  ["a path parameter that is a number", (event) => ({ ...event, pathParameters: { featureName: 12 } })],
];

describe("an event that the gateway would not send is answered like any other, and never thrown back", () => {
  const functions: FunctionName[] = ["tags", "variants"];

  it.each(
    malformations.flatMap(([what, malform]) => functions.map((name) => [what, name, malform] as const)),
  )("%s, to the function of %s", async (_, name, malform) => {
    const answer = await deliver(name, malform(whole[name]));

    expect(answer).toEqual(refused(answer.status, answer.json.name));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(answer)).not.toMatch(/TypeError|undefined|not a function|\.ts/);
    expect(log).toEqual([expect.objectContaining({ status: answer.status })]);
  });
});

it("an event without headers has no API key: 401, from both functions", async () => {
  const answers = [
    await deliver("tags", without("headers")(whole.tags)),
    await deliver("variants", without("headers")(whole.variants)),
  ];

  expect(answers).toEqual([unauthenticated(), unauthenticated()]);
});
