/** A fake of AWS that describes a stack and what the check looks up, and refuses every other call. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A stack's status; undefined if there is no stack; an error; or no response at all. */
export type Answer = string | undefined | { error: string; message: string } | "never";

export interface FakeAws {
  endpoint: string;
  /** Of DescribeStacks, in order; the last one is repeated. */
  answers: Answer[];
  /** Looked up by the check; "denied" without the permission. */
  concurrency: number | "denied";
  /** Resolves after this many calls of DescribeStacks. */
  described(times: number): Promise<void>;
  close(): void;
}

const outputs = {
  ...{ Url: "https://api.example.com", TableName: "burgee-dev-Table-1", OwnTable: "burgee-dev-Table-1" },
  ServerlessDeploymentBucketName: "bucket",
};

export async function startAws(): Promise<FakeAws> {
  let questions = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    let answer: Answer | [number, string] = respond(request, body, fake);
    if (body.includes("Action=DescribeStacks&") || body.endsWith("Action=DescribeStacks")) {
      questions++;
      answer = fake.answers[Math.min(questions, fake.answers.length) - 1];
    }
    if (answer === "never") return;
    const [status, text] = Array.isArray(answer) ? answer : render(answer);
    response.writeHead(status, { "content-type": text.startsWith("<") ? "text/xml" : "application/json" });
    response.end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const fake: FakeAws = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: [],
    concurrency: 1000,
    async described(times) {
      while (questions < times) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return fake;
}

function respond(
  { url, headers }: IncomingMessage,
  body: string,
  { concurrency }: FakeAws,
): [number, string] {
  if (body.includes("GetCallerIdentity")) {
    const result = "<GetCallerIdentityResult><Arn>arn:aws:iam::1:user/ops</Arn></GetCallerIdentityResult>";
    return [200, `<GetCallerIdentityResponse>${result}</GetCallerIdentityResponse>`];
  }
  if (url?.includes("account-settings") && concurrency !== "denied") {
    return [200, JSON.stringify({ AccountLimit: { ConcurrentExecutions: concurrency } })];
  }
  if (String(headers["x-amz-target"]).endsWith("DescribeTable")) {
    return [400, JSON.stringify({ __type: "ResourceNotFoundException" })];
  }
  if (body.includes("GetTopicAttributes")) return error("NotFound", "no topic", 404);
  if (body.includes("Action=GetTemplate")) {
    const result =
      "<GetTemplateResult><TemplateBody>{&quot;Resources&quot;:{}}</TemplateBody></GetTemplateResult>";
    return [200, `<GetTemplateResponse>${result}</GetTemplateResponse>`];
  }
  if (url?.includes("list-type=2")) return [200, "<ListBucketResult></ListBucketResult>"];
  if (url?.includes("account-settings")) {
    return [403, JSON.stringify({ __type: "AccessDeniedException", message: "a reason" })];
  }
  return error("AccessDenied", "only reading is permitted", 403);
}

function error(code: string, message: string, status: number): [number, string] {
  const xml = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>`;
  return [status, `<ErrorResponse>${xml}</ErrorResponse>`];
}

function render(answer: Exclude<Answer, "never">): [status: number, xml: string] {
  if (answer === undefined) return error("ValidationError", "Stack with id burgee-dev does not exist", 400);
  if (typeof answer === "object") return error(answer.error, answer.message, 403);
  const members = Object.entries(outputs).map(
    ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const stack = [
    "<StackId>arn:aws:cloudformation:us-east-1:123456789012:stack/burgee-dev/1</StackId>",
    "<StackName>burgee-dev</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime>",
    `<StackStatus>${answer}</StackStatus><Outputs>${members.join("")}</Outputs>`,
  ].join("");
  const result = `<DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult>`;
  return [200, `<DescribeStacksResponse>${result}</DescribeStacksResponse>`];
}
