import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newSigningSecret, signatureHeaders, signingKey } from '../domain/webhooks/signature.ts';
import { createApiClient, ServiceError, type ApiClient } from './api-client.ts';
import { DeliveryFeed, type ListedDelivery } from './delivery-feed.ts';

export interface ListenOptions {
  readonly url: string;
  readonly key: string | undefined;
  /** Signs what is forwarded; absent: a new one, which is printed. */
  readonly secret: string | undefined;
}

interface Page {
  readonly deliveries: readonly ListedDelivery[];
  readonly next_cursor: string | null;
}
interface Delivery {
  readonly event_id: string;
  readonly event_type: string;
  readonly call_id: string;
  readonly request: { readonly method: string; readonly body: object };
}

/** An event without a receiver is not in the delivery log. */
const NO_RECEIVERS =
  'The workspace has had no webhook yet. Only events with a receiver come here: subscribe the agent to any address, such as ' +
  'that of production, or send a sample by POST /api/v0/webhooks/test.';

const POLL_MS = 1000;
const PAGE = 200;
/** As long as the service waits for a receiver. */
const ANSWER_MS = 30_000;

/**
 * Sends the webhooks of the workspace to an address of this machine as well, from now on, until `stop`. `target`: a port or an
 * address. Resolves with the exit code: 0 after `stop`, 1 when the service refuses, 2 without a key or an address.
 */
export async function runListen(target: string, options: ListenOptions, stop: AbortSignal): Promise<number> {
  const { url, key, secret = newSigningSecret() } = options;
  if (key === undefined || key === '') {
    console.error('No API key: set CALLWRIGHT_API_KEY, or pass --key or --key-file.');
    return 2;
  }
  const receiver = /^\d{1,5}$/.test(target) ? `http://127.0.0.1:${target}/` : target;
  if (!URL.canParse(receiver) || !/^https?:/.test(receiver)) {
    console.error(`${target} is neither a port nor an address such as http://127.0.0.1:3000/hook.`);
    return 2;
  }
  const api = createApiClient(url, key);
  const feed = new DeliveryFeed();
  let isEmpty = false;
  try {
    const newest = await api.get<Page>('/webhooks/deliveries?limit=1');
    isEmpty = newest.deliveries.length === 0;
    feed.take(newest.deliveries);
    feed.take(await listed(api, feed.since));
  } catch (error) {
    return refused(error);
  }
  if (options.secret === undefined) console.log(`Signed with ${secret}`);
  console.log(`Forwarding new webhooks to ${receiver}`);
  if (isEmpty) console.log(NO_RECEIVERS);
  const signer = signingKey(secret);
  while (!stop.aborted) {
    try {
      for (const { delivery_id } of feed.take(await listed(api, feed.since)))
        await forward(api, delivery_id, receiver, signer);
    } catch (error) {
      if (!isPassing(error)) return refused(error);
      console.error(messageOf(error));
    }
    await sleep(POLL_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  return 0;
}

async function listed(api: ApiClient, since: string | null): Promise<ListedDelivery[]> {
  const found: ListedDelivery[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(PAGE) });
    if (since !== null) query.set('since', since);
    if (cursor !== null) query.set('cursor', cursor);
    const page: Page = await api.get<Page>(`/webhooks/deliveries?${query.toString()}`);
    found.push(...page.deliveries);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

/** Sends one delivery and prints what the receiver answered. It is not repeated. */
async function forward(api: ApiClient, id: string, receiver: string, signer: KeyObject): Promise<void> {
  const { delivery } = await api.get<{ delivery: Delivery }>(`/webhooks/deliveries/${id}`);
  const { event_id, event_type, call_id, request } = delivery;
  const body = JSON.stringify(request.body);
  const answer = await fetch(receiver, {
    method: request.method,
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders([signer], event_id, Date.now(), body),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return String(response.status);
    },
    () => 'no answer',
  );
  console.log(`${event_type} ${call_id} ${answer}`);
}

/** Whether the service may answer again later. */
const isPassing = (error: unknown): boolean =>
  error instanceof ServiceError && (error.status === 0 || error.status === 429 || error.status >= 500);

const messageOf = (error: unknown): string => {
  const status = error instanceof ServiceError && error.status !== 0 ? `${error.status}: ` : '';
  return `${status}${error instanceof Error ? error.message : String(error)}`;
};

function refused(error: unknown): number {
  console.error(messageOf(error));
  return 1;
}
