/** Sends a step to the service, and checks the response. */
import { issuesOfAnswer, issuesOfBytes, issuesOfGateway } from "./check-response.ts";
import { type Answer, sendByHttp, sendBytes } from "./send.ts";
import type { FuzzedServer } from "./server.ts";
import { isByName, isDryRun, type Taken } from "./steps.ts";

interface Delivered {
  issues: string[];
  answer?: Answer;
}

export async function deliver(step: Taken, server: FuzzedServer): Promise<Delivered> {
  if (step.by === "bytes") {
    const answers = await sendBytes(server.port, step.bytes, step.hangUpAfter);
    // A client that disconnects does not notice the end of its request.
    await server.idle();
    return { issues: issuesOfBytes(answers, step.bytes) };
  }
  const { method, path } = step.request;
  const { route } = step.address;
  const target = { method, route, isDryRun: isDryRun(step), isByName: isByName(step) };
  if (step.by === "event") {
    const { statusCode = 0, headers, body = "" } = await server.deliver(step.to, step.event);
    const answer = { status: statusCode, headers: headers as Record<string, string>, body };
    // Without a gateway, the response to HEAD keeps its body.
    return {
      answer,
      issues: issuesOfAnswer(answer, { ...target, method: method === "HEAD" ? "OPTIONS" : method }),
    };
  }
  const answer = await sendByHttp(server.port, step.request);
  if (answer.headers["apigw-requestid"]) return { answer, issues: issuesOfAnswer(answer, target) };
  const isPage =
    /^(GET|HEAD)$/.test(method) && answer.status === 200 && /^\/(openapi\.json)?(\?|$)/.test(path);
  const statuses = target.route === undefined ? [400, 404, 431] : [400, 431];
  return { answer, issues: isPage ? [] : issuesOfGateway(answer, method, statuses) };
}
