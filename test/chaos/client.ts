import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent } from '../helpers/service/scenario.ts';
import type { Service } from '../helpers/service/service.ts';
import type { CampaignPlan, Slot, WorkspacePlan } from './plan.ts';

export interface Reply {
  readonly status: number;
  readonly body: any;
  /** Epoch ms at which the response was complete. */
  readonly at: number;
}

/** An API client that follows the documentation: it retries at another process, with an Idempotency-Key. */
export class Client {
  readonly #urls: readonly string[];
  readonly #isOver: () => boolean;
  #requests = 0;

  constructor(urls: readonly string[], isOver: () => boolean) {
    this.#urls = urls;
    this.#isOver = isOver;
  }

  /** Retries until some process responds. The Idempotency-Key of a killed process is free again after 90 s. */
  async ask(
    key: string,
    method: string,
    path: string,
    body?: object | FormData,
    options: { idempotencyKey?: string; timeoutMs?: number } = {},
  ): Promise<Reply> {
    const isForm = body instanceof FormData;
    const until = Date.now() + (options.timeoutMs ?? 1_800_000);
    let last = 'no request was sent';
    while (Date.now() < until && !this.#isOver()) {
      const url = this.#urls[(this.#requests += 1) % this.#urls.length]!;
      try {
        const answer = await fetch(`${url}${path}`, {
          method,
          headers: {
            'x-api-key': key,
            ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
            ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
          signal: AbortSignal.timeout(60_000),
        });
        const text = await answer.text();
        // 429: the few live processes each accept one list at a time.
        const isBusy =
          answer.status === 429 || (answer.status === 409 && options.idempotencyKey !== undefined);
        if (answer.status < 500 && !isBusy) {
          return { status: answer.status, body: text === '' ? null : JSON.parse(text), at: Date.now() };
        }
        last = `${answer.status} ${text.slice(0, 200)}`;
      } catch (error) {
        last = error instanceof Error ? error.message : String(error);
      }
      await sleep(100);
    }
    throw new Error(`${method} ${path} got no response: ${last}`);
  }

  /** Creates an agent with a short greeting; in a chatty workspace it subscribes to every event. */
  async createAgent(workspace: WorkspacePlan, receiver: string): Promise<string> {
    const asService = {
      request: (method: string, path: string, body?: object) => this.ask(workspace.key, method, path, body),
    } as unknown as Service;
    const id = await createAgent(asService, { intro_message: 'Hello.', agent_type: 'outbound' });
    if (!workspace.isChatty) return id;
    const { status, body } = await this.ask(workspace.key, 'PATCH', '/api/v0/agent/v1', {
      operation: 'edit_event_subscriptions',
      agent_id: id,
      event_subscriptions: [
        {
          event_type: [
            'call_started',
            'call_ringing',
            'call_ongoing',
            'call_completed',
            'all_processing_completed',
          ],
          callback_url: receiver,
          method_type: 'POST',
          headers: {},
        },
      ],
    });
    if (status !== 200) throw new Error(`not subscribed: ${status} ${JSON.stringify(body)}`);
    return id;
  }

  async numberIds(key: string): Promise<string[]> {
    const { body } = await this.ask(key, 'GET', '/api/v0/workspace/numbers');
    return (body.workspace_numbers as { id: string; is_test_number?: boolean; number: string }[])
      .filter(({ number }) => number.startsWith('+14155559'))
      .map(({ id }) => id);
  }

  /** Uploads the contact list of a campaign and waits until it is imported. */
  async upload(
    key: string,
    campaign: CampaignPlan,
    agentId: string,
    slots: readonly Slot[],
  ): Promise<string> {
    const form = new FormData();
    form.set('agent_id', agentId);
    form.set('campaign_name', campaign.name);
    const call_config = {
      call_time: { slots, timezone: campaign.zone },
      call_retry_config: {
        retry_count: campaign.retries,
        retry_busy: 0,
        retry_not_picked: 0,
        retry_failed: 0,
      },
    };
    form.set('call_config', JSON.stringify(call_config));
    const rows = campaign.rows.map(({ number, name }) => `${number},${name}\r\n`);
    form.set('file', new Blob([`Mobile Number,callee_name\r\n${rows.join('')}`]), 'contacts.csv');
    const { status, body } = await this.ask(key, 'POST', `/api/v0/campaign/${campaign.flow}`, form, {
      idempotencyKey: randomUUID(),
    });
    if (status !== 200) throw new Error(`${campaign.name} not uploaded: ${status} ${JSON.stringify(body)}`);
    const id = String(body.bulk_list_id);
    while (campaign.flow === 'upload-csv') {
      const { body: shown } = await this.ask(key, 'GET', `/api/v0/campaign/upload-status/${id}`);
      if (shown.status === 'completed') break;
      if (shown.status === 'failed')
        throw new Error(`${campaign.name} was refused: ${JSON.stringify(shown)}`);
      await sleep(200);
    }
    return id;
  }
}
