import type { VendorFault } from '../wire/fault.ts';
import type { VendorReach } from '../wire/reach.ts';
import { redact } from '../wire/redact.ts';
import { VendorSocket } from '../wire/socket.ts';
import type { SttVendor } from './dialect.ts';

const LIMIT_MS = 5_000;
/** A vendor without a greeting has accepted a connection that lasts this long. */
const ACCEPTED_MS = 300;

/** Connects as a call does. Resolves with the time until audio could be sent, or the fault. `reach`: the address rules. */
export function checkDialect(
  vendor: SttVendor,
  apiKey: string | null,
  reach?: VendorReach,
): Promise<number | VendorFault> {
  const dialect = vendor.connect({
    language: 'en-US',
    secondaryLanguage: null,
    sampleRate: 8000,
    vocab: [],
  });
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const done = (result: number | VendorFault): void => {
      socket.close(...dialect.end);
      resolve(result);
    };
    const socket = new VendorSocket({
      vendor: vendor.name,
      url: dialect.url,
      headers: dialect.headers,
      secrets: apiKey === null ? [] : [apiKey],
      ...(reach === undefined ? {} : { guard: reach.guard }),
      connectMs: LIMIT_MS,
      greetingMs: dialect.greets ? LIMIT_MS : null,
      closeFault: (code, reason) => dialect.closeFault?.(code, reason) ?? null,
      onOpen() {
        for (const message of dialect.begin?.() ?? []) socket.send(message);
        const ms = Math.round(performance.now() - startedAt);
        if (!dialect.greets) setTimeout(() => done(ms), ACCEPTED_MS).unref();
      },
      onMessage(message) {
        let events: ReturnType<typeof dialect.receive> = [];
        try {
          events = dialect.receive(message.toString('utf8'));
        } catch {
          return false;
        }
        for (const one of events) {
          if (one.type === 'fault') {
            const { fault } = one;
            done({ ...fault, message: redact(fault.message, [apiKey]) });
          }
        }
        const isReady = events.some(({ type }) => type === 'ready');
        if (isReady) done(Math.round(performance.now() - startedAt));
        return isReady;
      },
      onFault: resolve,
    });
  });
}
