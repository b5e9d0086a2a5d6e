/** A fake of AWS that describes a stack and what the check looks up, and refuses every other call. */
import { createServer, type IncomingMessage } from "node:http";
import { bootstrapVersion } from "../support/bootstrap.ts";
import { listen } from "../support/listening.ts";

export type FakeAws = Awaited<ReturnType<typeof startAws>>;

type Answer = [status: number, body: string];

export async function startAws() {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isOfPeople = body.includes("StackName=people-");
    const operation = operationOf(request, body);
    const answer = operation && isOfPeople ? ofPeople(operation, fake) : respond(operation, fake);
    const [status, text] = answer ?? refuse("AccessDenied", "only reading is permitted");
    response.writeHead(status, { "content-type": text.startsWith("<") ? "text/xml" : "application/json" });
    response.end(text);
  });
  const fake = {
    endpoint: `http://127.0.0.1:${await listen(server)}`,
    /** The status of the stack; undefined if there is none. */
    stack: "CREATE_COMPLETE" as string | undefined,
    /** The version of what infra/aws/bootstrap.yml made; undefined without it. */
    bootstrap: bootstrapVersion as string | undefined,
    /** Lambda's limit. */
    concurrency: 1000,
    /** What no function has reserved of it. */
    unreserved: 1000,
    /** The settings of the stack. */
    parameters: {} as Record<string, string>,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return fake;
}

function operationOf({ url = "", headers }: IncomingMessage, body: string): string | undefined {
  const target = headers["x-amz-target"]?.toString().split(".")[1];
  return target ?? new URLSearchParams(body).get("Action") ?? /account-settings/.exec(url)?.[0];
}

function respond(operation: string | undefined, fake: FakeAws): Answer | undefined {
  const { stack, concurrency, unreserved, parameters } = fake;
  switch (operation) {
    case "GetCallerIdentity":
      return xml(operation, "<Arn>arn:aws:iam::1:user/ops</Arn>");
    case "account-settings":
      return json({
        AccountLimit: { ConcurrentExecutions: concurrency, UnreservedConcurrentExecutions: unreserved },
      });
    case "DescribeStacks":
      return stack
        ? xml(operation, describe(stack, { TableName: "burgee-dev-Table-1" }, parameters))
        : refuse("ValidationError", "the stack does not exist");
    default:
      return undefined;
  }
}

function ofPeople(operation: string, { bootstrap }: FakeAws): Answer {
  if (bootstrap === undefined) return refuse("ValidationError", "the stack does not exist");
  return xml(operation, describe("CREATE_COMPLETE", { Bucket: "bucket", Version: bootstrap }));
}

function describe(status: string, outputs: object, parameters: object = {}): string {
  const members = (of: object, kind: "Output" | "Parameter") =>
    Object.entries(of)
      .map(
        ([name, value]) =>
          `<member><${kind}Key>${name}</${kind}Key><${kind}Value>${value}</${kind}Value></member>`,
      )
      .join("");
  const id =
    "<StackId>arn:aws:cloudformation:us-east-1:1:stack/burgee-dev/1</StackId><StackName>burgee-dev</StackName>";
  const lists = `<Outputs>${members(outputs, "Output")}</Outputs><Parameters>${members(parameters, "Parameter")}</Parameters>`;
  return `<Stacks><member>${id}<StackStatus>${status}</StackStatus>${lists}</member></Stacks>`;
}

const json = (body: object): Answer => [200, JSON.stringify(body)];

const xml = (operation: string, result: string): Answer => [
  200,
  `<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`,
];

function refuse(code: string, message: string): Answer {
  return [
    403,
    `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  ];
}
