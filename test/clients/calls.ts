/** The successful responses that the OpenAPI document has recorded, and a call of an operation that may have it for each. */
import openapi from "../../infra/reference/openapi.json" with { type: "json" };

export interface Call {
  operation: string;
  /** The examples of the parameters in the path, in order. */
  path: string[];
  /** An empty body; undefined if the operation has none. */
  body: "list" | "tags" | "feature" | "strategy" | undefined;
  /** How many optional parameters it has. */
  options: number;
  status: number;
  recorded: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: it is a JSON document, whose form the reference's own tests check.
const { paths, components }: any = openapi;
const nameOf = ({ $ref }: { $ref: string }) => $ref.slice($ref.lastIndexOf("/") + 1);
const bodies: Readonly<Record<string, Call["body"]>> = {
  patchesSchema: "list",
  updateTagsSchema: "tags",
  createFeatureSchema: "feature",
  sentStrategySchema: "strategy",
};

// biome-ignore lint/suspicious/noExplicitAny: as above.
const operations = Object.values<any>(paths).flatMap((methods) => Object.values<any>(methods));

export const calls = operations.flatMap(({ operationId, parameters, requestBody, responses }): Call[] => {
  const all = parameters.map((one: { $ref: string }) => components.parameters[nameOf(one)]);
  const inPath = all.filter((one: { in: string }) => one.in === "path");
  return Object.entries<{ $ref: string }>(responses).flatMap(([status, response]) => {
    const { content } = components.responses[nameOf(response)];
    if (Number(status) >= 300 || !content) return [];
    const { examples } = content["application/json"];
    return Object.values<{ value: unknown }>(examples).map(({ value }) => ({
      operation: operationId,
      path: inPath.map(({ example }: { example: string }) => example),
      body: requestBody && bodies[nameOf(requestBody.content["application/json"].schema)],
      options: all.length - inPath.length,
      status: Number(status),
      recorded: value,
    }));
  });
});
