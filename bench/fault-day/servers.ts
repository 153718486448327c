import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook that was received, and how it was answered. */
export interface Received {
  readonly eventId: string;
  readonly isAccepted: boolean;
}

/** A receiver of webhooks that can die: it then takes requests and answers none. */
export interface FaultyReceiver {
  readonly url: string;
  readonly received: Received[];
  die(): void;
  close(): void;
}

export async function startReceiver(): Promise<FaultyReceiver> {
  const received: Received[] = [];
  let isDead = false;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { event_id: eventId } = JSON.parse(Buffer.concat(parts).toString()) as { event_id: string };
      received.push({ eventId, isAccepted: !isDead });
      if (!isDead) response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    die: () => {
      isDead = true;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
