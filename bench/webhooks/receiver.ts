import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receiver process: live receivers return 200 at once, one per port; the dead one never responds. */
const live = Number(process.argv[2]);
const counts: number[] = [];
let first = 0;
let last = 0;
const servers = Array.from({ length: live + 1 }, (_, index) =>
  createServer((request, response) => {
    request.resume();
    if (index === live) return;
    request.on('end', () => {
      if (first === 0) first = performance.now();
      last = performance.now();
      counts[index] = (counts[index] ?? 0) + 1;
      response.end('{}');
    });
  }),
);
const ports = await Promise.all(
  servers.map(
    (server) =>
      new Promise<number>((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
      }),
  ),
);
process.on('message', (message) => {
  if (message === 'reset') {
    counts.length = 0;
    [first, last] = [0, 0];
  }
  process.send?.({ counts: [...counts], tookMs: last - first });
});
process.send?.(ports);
