/** Does what the controls of the board say. */
import type { BoardActions } from "./actions.ts";
import type { App } from "./app.ts";
import { type Question, withFeature, withPlan, withReply } from "./board-state.ts";
import { loadFeature } from "./load.ts";
import { loadBoard } from "./load-board.ts";
import { newKey, type PatchRequest } from "./request.ts";
import { send } from "./send.ts";

export function createBoardActions(app: App): BoardActions {
  return {
    search(search) {
      app.updateBoard({ ...app.state.board, search });
      scrollTo(0, 0);
    },
    filter(tag) {
      app.updateBoard({ ...app.state.board, tag });
      scrollTo(0, 0);
    },
    press({ name }, environment, enabled) {
      const { key, project, form, etag } = app.state.draft;
      const place = { key, project, feature: name, environment, form, etag, proposed: "" };
      const edit = { text: "[]", change: "", switchTo: enabled ? "on" : "off", reason: "" };
      return askAbout(app, { ...place, ...edit, idempotencyKey: newKey() });
    },
    cancel() {
      const asked = document.querySelector<HTMLElement>(".switch.asked");
      app.updateBoard({ ...app.state.board, question: undefined });
      asked?.focus();
    },
    /** After a failure it is previewed again, with the same idempotency key: what is stored already is not done twice. */
    async confirm(question) {
      if (question.phase === "failed") return askAbout(app, question.request);
      await write(app, question, question.request);
    },
    async undoSwitch(question) {
      const { request, change } = question;
      const { undo = { ...request, change, switchTo: "", idempotencyKey: newKey(), etag: "*" } } = question;
      await write(app, { ...question, undo }, undo);
    },
    reload: () => void loadBoard(app),
  };
}

async function askAbout(app: App, request: PatchRequest): Promise<void> {
  const question = { request, phase: "previewing", plan: undefined, change: "", error: "" } as const;
  app.updateBoard({ ...app.state.board, question });
  const plan = await send(request, "dry run");
  if (app.state.board.question !== question) return;
  app.updateBoard({ ...app.state.board, question: withPlan(question, plan) });
}

async function write(app: App, question: Question, request: PatchRequest): Promise<void> {
  const isUndo = request.change !== "";
  const sent = { ...question, phase: isUndo ? "undoing" : "sending" } as const;
  app.update({ ...app.state, isSending: true, board: { ...app.state.board, question: sent } });
  const etag = isUndo ? "*" : (question.plan?.etag ?? "*");
  const reply = await send({ ...request, etag }, "write");
  app.update({
    ...app.state,
    isSending: false,
    board: { ...app.state.board, question: withReply(sent, isUndo, reply) },
  });
  const { json } = await loadFeature(request);
  if (!json || json.project !== app.state.board.project) return;
  const environments = json.environments.map(({ etag: _, ...environment }) => environment);
  app.updateBoard(
    withFeature(app.state.board, { name: json.name, tags: json.tags, environments }, Date.now()),
  );
}
