import { createServer, type ServerResponse } from 'node:http';
import type { Dice } from './dice.ts';

export interface ReceivedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly callId: string;
  readonly listId: string | null;
  readonly body: Record<string, unknown>;
  readonly at: number;
  readonly isAccepted: boolean;
}

/** A webhook receiver that logs every event: mostly accepts, sometimes slow, failing or disconnecting. */
export interface Receiver {
  readonly port: number;
  readonly received: readonly ReceivedEvent[];
  close(): Promise<void>;
}

export async function startReceiver(dice: Dice): Promise<Receiver> {
  const received: ReceivedEvent[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, string | null>;
      const draw = dice.next();
      received.push({
        eventId: body['event_id'] ?? '',
        type: body['event_type'] ?? '',
        callId: body['call_id'] ?? '',
        listId: body['bulk_list_id'] ?? null,
        body,
        at: Date.now(),
        isAccepted: draw >= 0.06,
      });
      answer(response, draw);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function answer(response: ServerResponse, draw: number): void {
  if (draw < 0.03) response.writeHead(500).end();
  else if (draw < 0.06) response.socket?.destroy();
  else if (draw < 0.1) setTimeout(() => response.writeHead(200).end(), 150);
  else response.writeHead(200).end();
}
