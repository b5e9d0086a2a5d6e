/** The condition that an item is still the one that was read, or that there is still none. */
export function isAsRead(read: { uid?: string | undefined } | undefined) {
  return read
    ? { ConditionExpression: "uid = :read", ExpressionAttributeValues: { ":read": read.uid } }
    : { ConditionExpression: "attribute_not_exists(pk)" };
}
