/** Calls the probe in the server's process, and awaits its replies. */
import type { ChildProcess } from "node:child_process";
import type { Question, Reply } from "./probe.ts";

type Call = Question extends infer Each ? (Each extends Question ? Omit<Each, "id"> : never) : never;

export function connectProbe(child: ChildProcess): (question: Call) => Promise<Reply["answer"]> {
  const waiting = new Map<number, { resolve(answer: Reply["answer"]): void; reject(error: Error): void }>();
  let last = 0;
  child.on("message", ({ id, answer }: Reply) => {
    waiting.get(id)?.resolve(answer);
    waiting.delete(id);
  });
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("the server ended"));
  });
  return (question) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      child.send({ ...question, id }, (error) => error && reject(error));
    });
}
