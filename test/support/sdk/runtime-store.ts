/** Imitates the store in which Lambda's runtime keeps the trace of an invocation. */
const runtime: { awslambda?: unknown } = globalThis;
let trace: string | undefined;
const awslambda = { InvokeStore: { getXRayTraceId: () => trace } };

/** Must run first: the SDK installs its own store where there is none. */
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
