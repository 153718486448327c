/**
 * Frees the memory of a buffer immediately by detaching it, if the buffer owns its ArrayBuffer. The garbage collector sees
 * only small Buffer objects and would let tens of megabytes behind them accumulate. The buffer is empty afterwards, so
 * only its owner may call this, after the last use.
 */
export function freeBytes(bytes: Buffer): void {
  const { buffer } = bytes;
  // Small buffers share Node's buffer pool.
  const isAlone = bytes.byteLength > 0 && bytes.byteLength === buffer.byteLength;
  if (isAlone && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
