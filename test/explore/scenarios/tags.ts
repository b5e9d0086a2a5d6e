/** Scenarios of tag updates. */
import { tagging } from "./requests.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { idempotent, once, sequence, taggingIfUnchanged } from "./scripts.ts";

const one = ["dev"];

export const tagScenarios: readonly Scenario[] = [
  scenario(
    "tags",
    one,
    {
      a: once(tagging("a", ["left", "right"], [])),
      b: once(tagging("b", ["up"], ["left"])),
      c: idempotent("c", one),
    },
    { isLong: true },
  ),
  scenario(
    "tags, and a failed condition does not return the item",
    one,
    { a: once(tagging("a", ["left"], [])), b: once(tagging("b", [], ["left"])) },
    { showsOldItem: false },
  ),
  scenario("a tag is added by one caller, and removed and added by another", one, {
    a: once(tagging("a", ["left"], [])),
    b: sequence(once(tagging("b1", [], ["left"])), once(tagging("b2", ["left"], []))),
  }),
  scenario("tags with if-match", one, {
    a: taggingIfUnchanged("a", ["left"], []),
    b: once(tagging("b", ["right"], [])),
  }),
  scenario(
    "a tag update that more follow than the feature keeps the ids of",
    one,
    {
      a: once(tagging("a", ["left"], [])),
      b: sequence(...["b1", "b2", "b3"].map((id) => once(tagging(id, [id], ["left"])))),
    },
    { isLong: true },
  ),
];
