/**
 * Gives the memory of bytes back at once, where nothing else is in it: a collector that sees small objects lets tens
 * of megabytes behind them wait. They are empty afterwards, so their owner alone may call it, when done with them.
 */
export function freeBytes(bytes: Buffer): void {
  const { buffer } = bytes;
  // Small buffers are cut from a pool that others are in as well.
  const isAlone = bytes.byteLength > 0 && bytes.byteLength === buffer.byteLength;
  if (isAlone && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
