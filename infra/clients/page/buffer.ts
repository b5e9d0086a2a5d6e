/** Replaces Node's Buffer in the code that the page shares with the service. The build injects it. */
const encoder = new TextEncoder();
const bytes = { byteLength: (text: string) => encoder.encode(text).length };

export { bytes as Buffer };

declare global {
  const Buffer: typeof bytes;
}
