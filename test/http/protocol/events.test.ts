/** Events that the gateway would not send. */
import { describe, expect, it } from "vitest";
import { refused, unauthenticated } from "../../support/answers.ts";
import { adminKey, eventOf, tagsPath, useBurgee, variantsPath } from "../../support/burgee.ts";
import { deliver, type FunctionName } from "../../support/deliver.ts";
import { log } from "../../support/log.ts";

useBurgee();

const whole = {
  tags: eventOf({ method: "PUT", path: tagsPath("any"), json: { addedTags: [], removedTags: [] } }),
  variants: eventOf({ method: "PATCH", path: variantsPath("any"), json: [] }),
};
const functions: FunctionName[] = ["tags", "variants"];

const without = (name: string) => (event: object) =>
  Object.fromEntries(Object.entries(event).filter(([member]) => member !== name));
const having = (members: object) => (event: object) => ({ ...event, ...members });

const malformations: [string, (event: object) => unknown][] = [
  ["null", () => null],
  ["no object", () => "event"],
  ["an empty object", () => ({})],
  ["an event of another source", () => ({ Records: [{ eventSource: "aws:sqs", body: "{}" }] })],
  ["an event without a request context", without("requestContext")],
  ["an event with an empty request context", having({ requestContext: {} })],
  ["an event without a route", without("routeKey")],
  ["an event without a path", without("rawPath")],
  ["an event with neither route nor path", having({ routeKey: undefined, rawPath: undefined })],
  ["a path that is a number", having({ routeKey: undefined, rawPath: 12 })],
  ["a header that is a list", having({ headers: { authorization: [adminKey] } })],
  ["a body that is null", having({ body: null })],
  ["a body that is an object", having({ body: {} })],
  ["a path parameter that is a number", having({ pathParameters: { featureName: 12 } })],
];

describe.each(functions)(
  "the function of %s returns and logs an error that leaks no internals for",
  (name) => {
    it.each(malformations)("%s", async (_, malform) => {
      const answer = await deliver(name, malform(whole[name]));

      expect(answer).toEqual(refused(answer.status, answer.json.name));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(answer)).not.toMatch(/TypeError|undefined|not a function|\.ts/);
      expect(log).toEqual([expect.objectContaining({ status: answer.status })]);
    });

    it("an event without headers: 401", async () => {
      expect(await deliver(name, without("headers")(whole[name]))).toEqual(unauthenticated());
    });
  },
);
