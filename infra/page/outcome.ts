/** Says what a draft would do, what stands in its way, and what came of a request that was sent. */
import type { Change, Changes } from "./load.ts";
import type { Result, State } from "./page-state.ts";
import { readOperation } from "./patch.ts";
import { type Draft, operationsOf } from "./request.ts";
import type { Planned, Reply } from "./send.ts";
import { changeInWords, intentOf, writtenAt } from "./sentences.ts";
import { agoInWords, listOf, placeInWords } from "./words.ts";

/** "on" or "off" for a patch that only switches, else "". */
export function isSwitch(draft: Draft): "on" | "off" | "" {
  const [first, ...others] = operationsOf(draft);
  const { op, path, value } = readOperation(first);
  const isOne = op === "replace" && path === "/enabled" && typeof value === "boolean" && others.length === 0;
  return isOne ? (value ? "on" : "off") : "";
}

export function wordsOf(draft: Draft) {
  const to = isSwitch(draft);
  if (to) return { button: `Switch ${to}`, doing: `Switching ${to}...` };
  if (draft.undo) return { button: "Undo it", doing: "Undoing..." };
  return { button: `Apply in ${draft.environment || "every environment"}`, doing: "Applying..." };
}

const namesWith = (plan: Reply, ...wanted: Planned["outcome"][]) =>
  plan.environments.filter(({ outcome }) => wanted.includes(outcome)).map(({ environment }) => environment);

/** What the dry run says: in a few words, and what follows. */
export function headlineOf(state: State, draft: Draft, plan: Reply) {
  const all = state.flag?.environments.length ?? 0;
  const pending = namesWith(plan, "would patch");
  const done = namesWith(plan, "already patched");
  const stop = plan.environments.find(({ outcome }) => outcome === "failed");
  const doneText =
    done.length > 0 ? `${listOf(done)} ${done.length === 1 ? "has" : "have"} it already. ` : "";
  if (plan.error) return { bold: "It cannot be previewed.", rest: plan.error, isBad: true };
  if (stop) {
    const left =
      pending.length > 0 && !draft.mostMoves
        ? `; ${listOf(pending)} would be changed before`
        : "; nothing would be written";
    return {
      bold: `It would fail in ${stop.environment}${left}.`,
      rest: doneText + (stop.message ?? ""),
      isBad: true,
    };
  }
  if (pending.length === 0) return { bold: nothingOf(state, draft, done), rest: "", isBad: false };
  const to = isSwitch(draft);
  const place = placeInWords(pending, all);
  if (to) {
    const seen = to === "on" ? "SDKs see it" : "SDKs stop seeing it";
    const rest = `${seen} within 6 seconds, plus their polling interval. ${staying(state, pending)}`;
    return { bold: `${draft.feature} goes ${to} in ${place}.`, rest: doneText + rest, isBad: false };
  }
  const undone = changeOf(state.flag?.history, draft.undo);
  if (undone) {
    const rest = `${doneText}${undone.by} ${changeInWords(undone, all)}.`;
    return { bold: `This is taken back in ${place}:`, rest, isBad: false };
  }
  const differences = plan.environments.flatMap(({ outcome, difference = [] }) =>
    outcome === "would patch" ? [intentOf(difference)] : [],
  );
  return { bold: `In ${place}:`, rest: `${doneText}${[...new Set(differences)].join("; ")}.`, isBad: false };
}

function changeOf(history: Changes | undefined, id: string): Change | undefined {
  return history?.changes.find((change) => change.id === id);
}

/** "checkout is off already, by demo, 2 seconds ago: incident 7" */
function nothingOf(state: State, draft: Draft, done: readonly string[]): string {
  const { environments = [] } = state.flag ?? {};
  if (done.length > 0)
    return `It is stored: ${placeInWords(done, environments.length)} has it.`.replace("s has", "s have");
  const to = isSwitch(draft);
  const place = draft.environment || "every environment";
  if (to) return `${draft.feature} is ${to} already in ${place}${by(changeBefore(state, draft))}.`;
  if (draft.undo) return "It is taken back already.";
  return `Nothing would change: ${place} is so already${draft.proposed ? by(changeBefore(state, draft)) : ""}.`;
}

function by(change: Change | undefined): string {
  if (!change) return "";
  return `, by ${change.by}, ${agoInWords(writtenAt(change), Date.now())}${change.reason ? `: ${change.reason}` : ""}`;
}

/** The newest change in effect of what the draft is about. */
function changeBefore({ flag }: State, draft: Draft): Change | undefined {
  const paths = operationsOf(draft).map((operation) => readOperation(operation).path);
  const isAbout = (path: string) =>
    paths.some((each) => `${each}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${each}/`));
  return flag?.history?.changes.find(({ environments }) =>
    environments.some(
      ({ environment, difference, undoneBy }) =>
        !undoneBy &&
        ["", environment].includes(draft.environment) &&
        difference.some(({ path }) => isAbout(path)),
    ),
  );
}

/** "development and staging stay on." */
function staying({ flag }: State, pending: readonly string[]): string {
  const others = flag?.environments.filter(({ environment }) => !pending.includes(environment)) ?? [];
  const sentences = [true, false].flatMap((isOn) => {
    const names = others.filter(({ enabled }) => enabled === isOn).map(({ environment }) => environment);
    if (names.length === 0) return [];
    return `${listOf(names)} ${names.length === 1 ? "stays" : "stay"} ${isOn ? "on" : "off"}.`;
  });
  return sentences.join(" ");
}

/** What is known of a request that was sent. `plan` is the dry run after it, of a request that has failed. */
export function outcomeOf({ draft, reply, where }: Result, state: State, plan: Reply | undefined) {
  const { error, status, details } = reply;
  const to = isSwitch(draft);
  const place = placeInWords(where, state.flag?.environments.length ?? 0);
  const what = to
    ? `${draft.feature} is ${to} in ${place}.`
    : draft.undo
      ? `Taken back in ${place}.`
      : `Applied in ${place}.`;
  if (!error) return { text: reply.hint ? `${what} ${reply.hint}.` : what, tone: "patched" };
  const isStored = plan?.error === "" && namesWith(plan, "would patch", "failed").length === 0;
  const tone = isStored ? "patched" : "failed";
  if (status === 0 || status >= 500) {
    const maybe = to ? `${draft.feature} may be ${to} in ${place}` : `It may be stored in ${place}`;
    return { text: `${maybe}: ${error}. ${plan ? "A look shows:" : ""}`, tone };
  }
  const written = details.filter(({ outcome = "" }) => outcome.endsWith("patched"));
  const names = written.flatMap(({ environment = [] }) => environment);
  if (names.length > 0) return { text: `Half done: ${listOf(names)} has it. ${error}.`, tone };
  if (status === 412) return { text: `Nothing was written: it was changed meanwhile${lastBy(state)}.`, tone };
  return { text: `Nothing was written. ${error}.`, tone };
}

const lastBy = ({ flag }: State) => by(flag?.history?.changes[0]);

/** Why it cannot be sent now, or empty. */
export function obstacleTo(state: State, draft: Draft, plan: Reply | undefined): string {
  if (state.link) return "Another link was opened.";
  if (!plan || plan.error) return "";
  if (draft.proposed && plan.etag !== draft.proposed) return "It has changed since this was proposed.";
  if (draft.mostMoves && namesWith(plan, "failed").length > 0)
    return "Nothing is written while it would fail anywhere.";
  const lacking = plan.missingPermissions.map(({ permission, environment }) =>
    environment === undefined ? permission : `${permission} in ${environment}`,
  );
  return lacking.length > 0 ? `This key lacks ${lacking.join(", ")}.` : "";
}

export function proposalText(draft: Draft, plan: Reply): string {
  if (!draft.proposed || draft.isSent) return "";
  const isCurrent = plan.etag === draft.proposed && namesWith(plan, "failed").length === 0;
  return `A proposal, from the link that you opened.${isCurrent ? " Nothing has changed since it was made." : ""}`;
}
