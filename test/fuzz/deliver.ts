/** Brings a step to the service, and judges what comes back by itself. */
import { faultsOfAnswer, faultsOfBytes, faultsOfGateway } from "./judge.ts";
import { type Answer, sendByHttp, sendBytes } from "./send.ts";
import type { FuzzedServer } from "./server.ts";
import type { Taken } from "./steps.ts";

interface Delivered {
  issues: string[];
  answer?: Answer;
}

export async function deliver(step: Taken, server: FuzzedServer): Promise<Delivered> {
  if (step.by === "bytes") {
    const answers = await sendBytes(server.port, step.bytes, step.hangUpAfter);
    // Who hangs up does not see the end of what he began.
    await server.rest();
    return { issues: faultsOfBytes(answers) };
  }
  const { method, path } = step.request;
  const asked = { method, route: step.address.route };
  if (step.by === "event") {
    const { statusCode = 0, headers, body = "" } = await server.deliver(step.to, step.event);
    const answer = { status: statusCode, headers: headers as Record<string, string>, body };
    // No gateway stands before it that would keep the body of an answer to HEAD.
    return {
      answer,
      issues: faultsOfAnswer(answer, { ...asked, method: method === "HEAD" ? "OPTIONS" : method }),
    };
  }
  const answer = await sendByHttp(server.port, step.request);
  if (answer.headers["apigw-requestid"]) return { answer, issues: faultsOfAnswer(answer, asked) };
  const isPage =
    /^(GET|HEAD)$/.test(method) && answer.status === 200 && /^\/(openapi\.json)?(\?|$)/.test(path);
  const statuses = asked.route === undefined ? [400, 404, 431] : [400, 431];
  return { answer, issues: isPage ? [] : faultsOfGateway(answer, method, statuses) };
}
