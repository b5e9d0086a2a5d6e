/** Conditions that hold while an item is as it was read. */

/**
 * In this order. Not every engine compares lists as a whole. The length of an expression is limited: beyond the first
 * environments, only their number is compared.
 */
export function hasEnvironments(environments: readonly string[]) {
  const first = environments.slice(0, 50);
  const isSame = first.map((_, index) => `environments[${index}] = :e${index}`);
  return {
    condition: ["size(environments) = :count", ...isSame].join(" AND "),
    values: {
      ":count": environments.length,
      ...Object.fromEntries(first.map((name, index) => [`:e${index}`, name])),
    },
  };
}

/** Items of the first release have none. */
export function hasUid(uid: string | undefined) {
  return uid === undefined
    ? { condition: "attribute_not_exists(uid)" }
    : { condition: "uid = :uid", values: { ":uid": uid } };
}
