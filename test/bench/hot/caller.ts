/** Acts as a Lambda sandbox in a process of its own, which serves one request after another. */
import { loadHandler } from "../calls/handler.ts";
import { patch } from "../requests.ts";
import { loop } from "./loop.ts";

export interface Job {
  feature: string;
  seconds: number;
}

/** The timeout of our functions; API Gateway's is 30 seconds. */
const timeoutMs = 10_000;
const handle = loadHandler("variants");
process.stdout.write = () => true;

process.on("message", async ({ feature, seconds }: Job) => {
  const send = async (stickiness: string) => {
    const { statusCode } = await handle(
      patch(feature, [{ op: "replace", path: "/0/stickiness", value: stickiness }]),
      timeoutMs,
    );
    return statusCode;
  };
  process.send?.(await loop(send, seconds));
});
process.on("disconnect", () => process.exit());
