import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { addressBlock } from '../../shared/ingress/address-block.ts';

/** Descriptors that connections never take: RTP, SIP, the database, files. */
const KEPT = 1_024;
const LEAST = 256;
const MOST = 20_000;

/** The process's limit of open files; null: unknown here. */
function openFiles(): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** HTTP connections in all: at most half of the descriptors, which calls need too. */
export const mostConnections = (files = openFiles()): number =>
  files === null ? MOST : Math.min(MOST, Math.max(LEAST, Math.floor((files - KEPT) / 2)));

/** Closes connections beyond the limit in all, and those of one block of addresses (/24, /64) beyond a quarter of it. */
export function limitConnections(
  server: Server,
  {
    most = mostConnections(),
    isProxy,
    onRefused,
  }: {
    readonly most?: number;
    readonly isProxy: (address: string) => boolean;
    readonly onRefused: () => void;
  },
): void {
  server.maxConnections = most;
  server.on('drop', () => onRefused());
  const ofBlock = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const block = addressBlock(address);
    const count = (ofBlock.get(block) ?? 0) + 1;
    if (count > most / 4) {
      onRefused();
      socket.destroy();
      return;
    }
    ofBlock.set(block, count);
    socket.once('close', () => {
      const left = (ofBlock.get(block) ?? 1) - 1;
      if (left === 0) ofBlock.delete(block);
      else ofBlock.set(block, left);
    });
  });
}
