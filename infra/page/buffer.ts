/** Stands in for Node's Buffer in the code that the page shares with the service: the build puts it there. */
const encoder = new TextEncoder();
const bytes = { byteLength: (text: string) => encoder.encode(text).length };

export { bytes as Buffer };

declare global {
  const Buffer: typeof bytes;
}
