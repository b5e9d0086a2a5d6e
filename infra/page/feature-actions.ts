/** Does what the buttons of a feature say. */
import type { Actions } from "./actions.ts";
import { type App, addressOfState } from "./app.ts";
import { element, showPlan } from "./controls.tsx";
import { writePatch } from "./patch.ts";
import { readPlace } from "./place.ts";
import type { Preview } from "./preview.ts";
import { send } from "./send.ts";
import { leaving, replied, sending } from "./sending.ts";
import { backToPatch, edited, empty, makingAgain, showing, switching, undoing } from "./state.ts";

export const badLink = {
  title: "The link is not a proposal",
  error: "Something in it is missing, invalid, repeated, unknown or too long. Nothing of it is used.",
};

export function createFeatureActions(app: App): Actions {
  return {
    edit: (changed) => app.preview(edited(app.state, changed)),
    undo(change, environment) {
      app.preview(undoing(app.state, change, environment), showPlan);
      showPlan();
    },
    switchTo(to, environment) {
      app.preview(switching(app.state, to, environment), showPlan);
      showPlan();
    },
    makeAgain(difference, environment) {
      app.preview(makingAgain(app.state, writePatch(difference), environment), showPlan);
      showPlan();
    },
    backToPatch: () => app.preview(backToPatch(app.state)),
    apply: (shown) => apply(app, shown),
    leave: (half) => app.preview(leaving(app.state, half)),
    see: () => app.update({ ...app.state, seen: [] }),
    unfold: () => app.update({ ...app.state, isUnfolded: !app.state.isUnfolded }),
    open(link) {
      const place = readPlace(link);
      if (place.kind !== "proposal") return app.update({ ...app.state, link: "", result: badLink });
      app.preview(showing({ ...app.state, view: "feature", link: "" }, { ...empty, ...place.draft }));
      history.pushState(null, "", addressOfState(app.state));
    },
    stay: () => app.update({ ...app.state, link: "" }),
    showHalf(half) {
      app.preview(edited({ ...app.state, view: "feature" }, half.request));
      history.pushState(null, "", addressOfState(app.state));
    },
  };
}

async function apply(app: App, shown: Preview): Promise<void> {
  const before = app.state;
  app.update(sending(app.state, shown.draft));
  element("#result").focus();
  const reply = await send({ ...shown.draft, etag: shown.plan.etag }, "write");
  const { link, board } = app.state;
  app.preview(replied({ ...before, link, board }, shown, reply));
  element("article").focus();
}
