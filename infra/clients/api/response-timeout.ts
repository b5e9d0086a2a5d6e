/** How long a client waits for a response. API Gateway ends a request after 30 seconds, so none comes later. */
export const responseTimeoutMs = 32_000;
