/** A fake CloudFormation that describes a stack, and refuses every other call. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A stack's status; undefined if there is no stack; an error; or no response at all. */
export type Answer = string | undefined | { error: string; message: string } | "never";

export interface FakeCloudFormation {
  endpoint: string;
  /** Used in order; the last one is repeated. */
  answers: Answer[];
  outputs: Record<string, string>;
  /** Resolves after this many calls. */
  called(times: number): Promise<void>;
  close(): void;
}

export async function startCloudFormation(): Promise<FakeCloudFormation> {
  let questions = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isQuestion = body.includes("Action=DescribeStacks&") || body.includes("Action=DescribeStacks\n");
    if (isQuestion) questions++;
    const answer = isQuestion
      ? fake.answers[Math.min(questions, fake.answers.length) - 1]
      : { error: "AccessDenied", message: "only reading is permitted" };
    if (answer === "never") return;
    const [status, xml] = render(answer, fake.outputs);
    response.writeHead(status, { "content-type": "text/xml" }).end(xml);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const fake: FakeCloudFormation = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: [],
    outputs: {
      Url: "https://api.example.com",
      TableName: "burgee-dev-Table-1",
      OwnTable: "burgee-dev-Table-1",
    },
    async called(times) {
      while (questions < times) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return fake;
}

function render(
  answer: Exclude<Answer, "never">,
  outputs: Readonly<Record<string, string>>,
): [status: number, xml: string] {
  if (answer === undefined) {
    return render({ error: "ValidationError", message: "Stack with id burgee-dev does not exist" }, outputs);
  }
  if (typeof answer === "object") {
    const { error, message } = answer;
    const xml = `<Error><Type>Sender</Type><Code>${error}</Code><Message>${message}</Message></Error>`;
    return [error === "ValidationError" ? 400 : 403, `<ErrorResponse>${xml}</ErrorResponse>`];
  }
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
