/** Makes the bodies that show a feature and its environments. */
import type { FeatureEnvironment, FeatureEnvironmentByName } from "../contract/responses/features.ts";
import type { Variant, VariantForm } from "../contract/variants.ts";
import { etagOfEnvironments } from "./etags.ts";
import type {
  Aspect,
  Edit,
  EnvironmentContent,
  EnvironmentState,
  EnvironmentStates,
  FeatureState,
  Target,
} from "./model.ts";
import { toTree } from "./patch/environment-tree.ts";
import { variantsInForm } from "./patch/variant-list.ts";
import { sortTags } from "./tags/tag-list.ts";

/** Generated clients distinguish the two forms of a body by this member, which a body by index lacks. */
export function formMember(form: VariantForm) {
  return form === "name" ? { by: form } : {};
}

/** Shows all of the one environment that was read. */
export function environmentBody([state]: EnvironmentStates) {
  return state && { version: 1, ...treeOfEnvironment(state) };
}

function treeOfEnvironment(content: EnvironmentContent & { environment: string }) {
  return { environment: content.environment, ...toTree(content) };
}

/** Shows the variants of the first environment. */
export function variantsBody([first]: readonly { variants: Variant[] }[], form: VariantForm) {
  return { version: 1, ...formMember(form), variants: variantsInForm(first?.variants ?? [], form) };
}

/** Shows the tags, and all of each environment with its guard and its ETag. */
export function featureBody(target: Target, { tagState, states }: FeatureState, form: VariantForm) {
  return {
    version: 1,
    ...formMember(form),
    name: target.feature,
    project: target.project,
    tags: sortTags(tagState.tags),
    environments: states.map((state) => {
      const { environment } = state;
      // A client can send it as `If-Match` as it is.
      const etag = `"${etagOfEnvironments({ ...target, environment }, [state])}"`;
      const guard = state.top?.guard;
      return { environment, ...contentInForm(state, form), ...(guard && { guard }), etag };
    }),
  };
}

/** With the form `index`, variants and strategies are lists, as Unleash has them. */
function contentInForm(
  content: EnvironmentContent,
  form: VariantForm,
): Pick<FeatureEnvironment, Aspect> | Pick<FeatureEnvironmentByName, Aspect> {
  const tree = toTree(content);
  return form === "name" ? tree : { ...tree, variants: content.variants, strategies: content.strategies };
}

/**
 * Returns the body of the response to
 *
 *   a change of a strategy         this strategy, if it is still there; undefined after its removal
 *   a patch of variants, an undo   the variants of the first environment
 *   a switch, another patch        each environment
 */
export function bodyAfterChange(after: EnvironmentStates, edit: Edit): object | undefined {
  if (edit.kind === "strategy") {
    if (edit.action === "remove") return undefined;
    return after.flatMap(({ strategies }) => strategies).find(({ id }) => id === edit.id);
  }
  if (hasVariantsBody(edit)) return variantsBody(after, edit.form);
  return { version: 1, environments: after.map((state) => environmentMembers(state, edit)) };
}

export function hasVariantsBody(edit: Edit): edit is Extract<Edit, { form: VariantForm }> {
  return edit.kind === "undo" || (edit.kind === "patch" && edit.root === "variants");
}

/** Shows `enabled` after a switch, and the whole environment after a patch. */
export function environmentMembers(state: EnvironmentState, { kind }: Edit) {
  const { environment, enabled } = state;
  return kind === "switch" ? { environment, enabled } : treeOfEnvironment(state);
}
