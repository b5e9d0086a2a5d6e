/** A fake of AWS that describes a stack and what the check looks up, and refuses every other call. */
import { createServer, type IncomingMessage } from "node:http";
import { listen } from "../support/listening.ts";

export type FakeAws = Awaited<ReturnType<typeof startAws>>;

type Answer = [status: number, body: string];

export async function startAws() {
  let silence = () => {};
  const silenced = new Promise<void>((resolve) => {
    silence = resolve;
  });
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isOfPeople = body.includes("StackName=people-");
    const answer = respond(operationOf(request, body), isOfPeople ? { ...fake, stack: undefined } : fake);
    if (!answer && fake.isSilent) return silence();
    const [status, text] = answer ?? refuse("AccessDenied", "only reading is permitted");
    response.writeHead(status, { "content-type": text.startsWith("<") ? "text/xml" : "application/json" });
    response.end(text);
  });
  const fake = {
    endpoint: `http://127.0.0.1:${await listen(server)}`,
    /** The status of the stack; undefined if there is none. */
    stack: "CREATE_COMPLETE" as string | undefined,
    /** The settings that the stack keeps. */
    settings: {} as object,
    /** Lambda's limit; undefined without the permission to look it up. */
    concurrency: 1000 as number | undefined,
    /** What no function reserves. */
    unreserved: 1000,
    /** What the deployed functions reserve, each. */
    reserved: 0,
    /** The table that the settings name; undefined if there is none. */
    table: undefined as object | undefined,
    /** Whether other calls get no response, instead of an error. */
    isSilent: false,
    /** Resolves when such a call was made. */
    silenced,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return fake;
}

function operationOf({ url = "", headers }: IncomingMessage, body: string): string | undefined {
  const target = headers["x-amz-target"]?.toString().split(".")[1];
  return target ?? new URLSearchParams(body).get("Action") ?? /account-settings|list-type/.exec(url)?.[0];
}

function respond(operation: string | undefined, fake: FakeAws): Answer | undefined {
  const { stack, settings, concurrency, unreserved, reserved, table } = fake;
  switch (operation) {
    case "GetCallerIdentity":
      return xml(operation, "<Arn>arn:aws:iam::1:user/ops</Arn>");
    case "account-settings":
      if (concurrency === undefined)
        return [403, JSON.stringify({ __type: "AccessDeniedException", message: "a reason" })];
      return json({
        AccountLimit: { ConcurrentExecutions: concurrency, UnreservedConcurrentExecutions: unreserved },
      });
    case "DescribeTable":
      return table ? json({ Table: table }) : [400, JSON.stringify({ __type: "ResourceNotFoundException" })];
    case "GetTopicAttributes":
      return refuse("NotFound", "no topic");
    case "GetTemplate":
      return xml(operation, `<TemplateBody>${templateOf(reserved).replaceAll('"', "&quot;")}</TemplateBody>`);
    case "list-type":
      return [200, "<ListBucketResult></ListBucketResult>"];
    case "DescribeStacks":
      return stack
        ? xml(operation, describe(stack, settings))
        : refuse("ValidationError", "the stack does not exist");
    default:
      return undefined;
  }
}

function describe(status: string, settings: object): string {
  const Settings = JSON.stringify(settings).replaceAll('"', "&quot;");
  const outputs = { OwnTable: "burgee-dev-Table-1", ServerlessDeploymentBucketName: "bucket", Settings };
  const members = Object.entries(outputs).map(
    ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const id =
    "<StackId>arn:aws:cloudformation:us-east-1:1:stack/burgee-dev/1</StackId><StackName>burgee-dev</StackName>";
  return `<Stacks><member>${id}<StackStatus>${status}</StackStatus><Outputs>${members.join("")}</Outputs></member></Stacks>`;
}

/** Of a stack that has no archives yet. */
const templateOf = (ReservedConcurrentExecutions: number) =>
  JSON.stringify({
    Resources: { TagsLambdaFunction: { Properties: { ReservedConcurrentExecutions, Code: { S3Key: "" } } } },
  });

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
