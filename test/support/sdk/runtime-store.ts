/** Where Lambda's runtime keeps the trace of an invocation, besides the environment. */
const runtime: { awslambda?: unknown } = globalThis;
let trace: string | undefined;
const awslambda = { InvokeStore: { getXRayTraceId: () => trace } };

/** The SDK's own store would install itself where there is none. */
export function installRuntimeStore(): void {
  runtime.awslambda = awslambda;
}

export async function inTrace<Result>(id: string, call: () => Promise<Result>): Promise<Result> {
  trace = id;
  return call().finally(() => {
    trace = undefined;
  });
}

export async function withoutRuntimeStore<Result>(call: () => Promise<Result>): Promise<Result> {
  delete runtime.awslambda;
  return call().finally(installRuntimeStore);
}
