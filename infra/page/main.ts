/** Shows the flags of a project, switches them, previews and applies patches of one, and finishes what stopped halfway. */
import type { FeatureWithEnvironments } from "../../lib/contract/lists.ts";
import { loadFeature, loadFeatures, loadPreview, loadProjects, named, type Preview, send } from "./api.ts";
import { type BoardActions, drawBoard } from "./board.tsx";
import * as boards from "./board-state.ts";
import { drawChoices, offerPlaces } from "./choices.tsx";
import { type Actions, element, onForm, showPlan } from "./controls.tsx";
import { featureOf, keep, keptHalves } from "./kept.ts";
import { applied, formatted, readPatch, usualOperations, writePatch } from "./patch.ts";
import { addressOf, readPlace } from "./place.ts";
import { newKey, type PatchRequest } from "./request.ts";
import { firstDraft, firstPlace, isLocal, stageName } from "./start.ts";
import * as next from "./state.ts";
import { drawPage } from "./view.tsx";

const isOfFeature = firstPlace.kind === "feature" || firstPlace.kind === "proposal";
let state = next.firstState(isOfFeature ? "feature" : "board", firstDraft, keptHalves);
let timer: ReturnType<typeof setTimeout>;

onForm("#feature", "input", (values) => update(next.typing(state, values)));
onForm("#feature", "focusin", () => {
  if (state.board.phase === "idle") void loadBoard();
});
onForm("#feature", "submit", (values) => {
  if (state.view === "board") return openBoard({ ...state.draft, ...values });
  preview(next.showing(state, values));
  history.pushState(null, "", addressOfState());
});
// On the board nothing is lost by another project.
element("[name=project]").addEventListener("change", () => {
  if (state.view === "board") element<HTMLFormElement>("#feature").requestSubmit();
});
// Another environment or form is for the undo too; another text is a patch again.
onForm("#patch", "input", (values) => {
  const scope = values.environment === state.draft.environment ? state.scope : undefined;
  const isPatch = values.text !== state.draft.text && { change: "", switchTo: "" };
  preview(next.edited({ ...state, scope }, { ...values, ...isPatch }));
});
onForm(".usual", "input", () => draw());
onForm(".usual", "submit", (values) => {
  const source = named(state.preview?.stored ?? [], values.source ?? "")?.variants ?? [];
  const { value: variant } = element<HTMLSelectElement>("#variants");
  const list = afterPatch()[0]?.variants ?? [];
  const operations = usualOperations({ ...values, variant }, state.draft.form, list, source);
  const text = writePatch([...readPatch(state.draft.text), ...operations]);
  actions.edit({ text, change: "", switchTo: "" });
});
// The input event of a paste comes after this event.
element("textarea").addEventListener("paste", () =>
  setTimeout(() => {
    const text = formatted(state.draft.text);
    if (text !== state.draft.text) actions.edit({ text });
  }),
);
addEventListener("hashchange", () => {
  const { href } = location;
  const place = readPlace(href);
  // Until a response is there, the page stays where it is.
  if (state.isSending) return history.replaceState(null, "", addressOfState());
  if (place.kind === "board") return openBoard({ ...state.draft, ...(place.project && place) });
  if (place.kind === "feature") return openFeature(place);
  // Another page may have set it: what is shown and applied stays until the user decides.
  history.replaceState(null, "", addressOfState());
  update({ ...state, link: href });
});
let isDrawing = false;
for (const type of ["scroll", "resize"]) {
  addEventListener(type, () => {
    if (isDrawing || state.view !== "board") return;
    isDrawing = true;
    requestAnimationFrame(() => {
      isDrawing = false;
      drawBoard(state.board, state.view === "board", boardActions);
    });
  });
}

function addressOfState(): string {
  const { project, feature } = state.draft;
  return addressOf(state.view === "feature" ? { project, feature } : { project });
}

function update(changed: next.State): void {
  state = changed;
  keep(state.draft, next.halvesToKeep(state));
  draw();
}

function updateBoard(board: boards.Board): void {
  update({ ...state, board });
}

/** Fills the fields with the draft, and previews it. The preview may move what is below it. */
function preview(changed: next.State, onPreview = () => {}): void {
  update(changed);
  const { draft } = state;
  for (const [name, value] of Object.entries(draft)) {
    Object.assign(document.querySelector(`[name="${name}"]`) ?? {}, { value });
  }
  clearTimeout(timer);
  if (state.view === "board") return;
  timer = setTimeout(async () => {
    const loaded = draft.key && draft.feature && (await loadPreview(draft));
    if (!loaded) return;
    update(next.previewed(state, loaded));
    if (state.preview === loaded) onPreview();
  }, 250);
}

/** The board has what the feature's own view has read, even if the list is a moment behind. */
function openBoard({ key = "", project = "" }: Pick<PatchRequest, "key" | "project">): void {
  const { draft, board, preview: shown, view } = state;
  const isMoved = project !== draft.project;
  const read = shown && shown.stored.length > 0 && !shown.isOld && shown.draft.project === board.project;
  const known = read ? boards.withFeature(board, ofPreview(shown), shown.readAt) : board;
  preview({
    ...next.edited(state, { ...draft, key, project, ...(isMoved && { ...next.empty, feature: "" }) }),
    view: "board",
    board: known,
    result: undefined,
  });
  if (view !== "board") scrollTo(0, board.scrollY);
  const isLoaded =
    view !== "board" && board.phase === "loaded" && board.key === key && board.project === project;
  if (!isLoaded) void loadBoard();
}

function openFeature(place: Pick<PatchRequest, "project" | "feature">): void {
  const board = {
    ...state.board,
    scrollY: state.view === "board" ? scrollY : state.board.scrollY,
    question: undefined,
  };
  const shown = { ...state, board, view: "feature" as const, link: "" };
  const isShown = featureOf(place) === featureOf(state.draft);
  preview(isShown ? { ...shown, typed: undefined } : next.showing(shown, { ...place }));
  scrollTo(0, 0);
}

function ofPreview({ draft, tags, stored }: Preview): FeatureWithEnvironments {
  const environments = stored.map(({ environment, enabled = false, variants }) => ({
    environment,
    enabled,
    variants,
  }));
  return { name: draft.feature, tags, environments };
}

/** Page by page: what is there can be read and searched meanwhile. */
async function loadBoard(): Promise<void> {
  const { key, project: wanted } = state.draft;
  if (key === "") return;
  updateBoard(boards.loadingBoard(state.board, key, wanted, Date.now()));
  const { run } = state.board;
  const isOver = () => state.board.run !== run;
  const allowed = await loadProjects(key);
  if (isOver()) return;
  if (!allowed.json) return updateBoard(boards.failedBoard(state.board, allowed.error));
  const { projects } = allowed.json;
  const isReadable = projects.some(({ id }) => id === wanted);
  const project = isReadable || state.view === "feature" ? wanted : (projects[0]?.id ?? wanted);
  // A preview is of one draft: another one, even with the same content, has none yet.
  const draft = project === wanted ? state.draft : { ...state.draft, project };
  update({ ...state, draft, board: { ...state.board, projects, project } });
  element<HTMLSelectElement>("[name=project]").value = project;
  const features: FeatureWithEnvironments[] = [];
  for (let after: string | undefined = ""; after !== undefined && projects.length > 0; ) {
    const page = await loadFeatures({ key, project, feature: "" }, after, features.length > 0 ? 200 : 100);
    if (isOver()) return;
    if (!page.json) return updateBoard(boards.failedBoard(state.board, page.error));
    features.push(...page.json.features);
    after = page.json.next;
    updateBoard(boards.withPage(state.board, [...features], after === undefined));
  }
  if (projects.length === 0) updateBoard(boards.withPage(state.board, [], true));
}

async function apply(shown: Preview): Promise<void> {
  const before = state;
  update(next.sending(state, shown.draft));
  element("#result").focus();
  const reply = await send({ ...shown.draft, etag: shown.plan.etag }, "write");
  const { link, board } = state;
  preview(next.replied({ ...before, link, board }, shown, reply));
  element("article").focus();
}

/** The environments as the patch in the editor leaves them. */
function afterPatch() {
  const { draft, preview } = state;
  const patch = readPatch(draft.text);
  const inScope = (preview?.stored ?? []).filter((each) =>
    ["", each.environment].includes(draft.environment),
  );
  return inScope.map(({ environment, variants }) => ({
    environment,
    variants: applied(variants, patch, draft.form),
  }));
}

const actions: Actions = {
  edit: (changed) => preview(next.edited(state, changed)),
  undo(change, environment) {
    preview(next.undoing(state, change, environment), showPlan);
    showPlan();
  },
  switchTo(to, environment) {
    preview(next.switching(state, to, environment), showPlan);
    showPlan();
  },
  makeAgain(difference, environment) {
    preview(next.makingAgain(state, writePatch(difference), environment), showPlan);
    showPlan();
  },
  backToPatch: () => preview(next.backToPatch(state)),
  apply,
  leave: (half) => preview(next.leaving(state, half)),
  see: () => update({ ...state, seen: [] }),
  unfold: () => update({ ...state, isUnfolded: !state.isUnfolded }),
  open(link) {
    const place = readPlace(link);
    if (place.kind !== "proposal") return update({ ...state, link: "", result: badLink });
    preview(next.showing({ ...state, view: "feature", link: "" }, { ...next.empty, ...place.draft }));
    history.pushState(null, "", addressOfState());
  },
  stay: () => update({ ...state, link: "" }),
  showHalf(half) {
    preview(next.edited({ ...state, view: "feature" }, half.request));
    history.pushState(null, "", addressOfState());
  },
};

const boardActions: BoardActions = {
  search(search) {
    updateBoard({ ...state.board, search });
    scrollTo(0, 0);
  },
  filter(tag) {
    updateBoard({ ...state.board, tag });
    scrollTo(0, 0);
  },
  press({ name }, environment, enabled) {
    const { key, project, form, etag } = state.draft;
    const place = { key, project, feature: name, environment, form, etag, proposed: "" };
    const edit = { text: "[]", change: "", switchTo: enabled ? "on" : "off", reason: "" };
    return askAbout({ ...place, ...edit, idempotencyKey: newKey() });
  },
  cancel() {
    const asked = document.querySelector<HTMLElement>(".switch.asked");
    updateBoard({ ...state.board, question: undefined });
    asked?.focus();
  },
  /** After a failure it is previewed again, with the same idempotency key: what is stored already is not done twice. */
  async confirm(question) {
    if (question.phase === "failed") return askAbout(question.request);
    await write(question, question.request);
  },
  async undoSwitch(question) {
    const { request, change } = question;
    await write(question, { ...request, change, switchTo: "", idempotencyKey: newKey(), etag: "*" });
  },
  reload: () => void loadBoard(),
};

async function askAbout(request: PatchRequest): Promise<void> {
  const question = { request, phase: "previewing", plan: undefined, change: "", error: "" } as const;
  updateBoard({ ...state.board, question });
  const plan = await send(request, "dry run");
  if (state.board.question !== question) return;
  updateBoard({ ...state.board, question: boards.planned(question, plan) });
}

async function write(question: boards.Question, request: PatchRequest): Promise<void> {
  const sent = { ...question, phase: "sending" } as const;
  const isUndo = request.change !== "";
  update({ ...state, isSending: true, board: { ...state.board, question: sent } });
  const etag = isUndo ? "*" : (question.plan?.etag ?? "*");
  const reply = await send({ ...request, etag }, "write");
  update({
    ...state,
    isSending: false,
    board: { ...state.board, question: boards.answered(sent, isUndo, reply) },
  });
  const { json } = await loadFeature(request);
  if (!json || json.project !== state.board.project) return;
  const environments = json.environments.map(({ etag: _, ...environment }) => environment);
  updateBoard(
    boards.withFeature(state.board, { name: json.name, tags: json.tags, environments }, Date.now()),
  );
}

const badLink = {
  title: "The link is not a proposal",
  error: "Something in it is missing, invalid, repeated, unknown or too long. Nothing of it is used.",
};

/** While a request is sent, nothing can be changed. */
function draw(): void {
  const focused = document.activeElement;
  for (const each of document.querySelectorAll<HTMLElement>("header, #notices, main")) {
    each.inert = state.isSending;
  }
  const names = state.preview?.stored.map(({ environment }) => environment) ?? [];
  offerPlaces(state.board, state.draft);
  drawChoices(names, state.draft, afterPatch());
  drawPage(state, actions);
  drawBoard(state.board, state.view === "board", boardActions);
  // The button that was pressed may be gone.
  if (!focused?.isConnected)
    element(state.view === "board" ? "#board" : "#result").focus({ preventScroll: true });
}

history.scrollRestoration = "manual";
element("#reference").hidden = !isLocal;
element("#stage").textContent = stageName;
preview(state);
// A proposal is read once: a page that opened this one cannot replace it by another before the click on Apply.
if (firstPlace.kind === "proposal") history.replaceState(null, "", addressOfState());
if (firstPlace.kind === "unknown") {
  history.replaceState(null, "", location.pathname);
  update({ ...state, result: badLink });
}
if (state.view === "board") void loadBoard();
