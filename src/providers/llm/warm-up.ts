import type { LlmVendorName, ModelAccount } from '../../vendors/catalogue.ts';
import type { OpenVendorModel } from './vendor-model.ts';

const warmed = new Map<LlmVendorName, Promise<void>>();

/** A stream with one empty message: enough for an SDK to compile its schemas. */
const nowhere: typeof globalThis.fetch = () =>
  Promise.resolve(new Response('data: {}\n\n', { headers: { 'content-type': 'text/event-stream' } }));

/**
 * Warms up a vendor SDK with a stubbed request, once per vendor. Otherwise the first caller of a thread would wait for 100
 * to 250 ms of processor time. Never rejects.
 */
export function warmUp(account: ModelAccount, open: OpenVendorModel): Promise<void> {
  const known = warmed.get(account.vendor) ?? run(account, open);
  warmed.set(account.vendor, known);
  return known;
}

async function run(account: ModelAccount, open: OpenVendorModel): Promise<void> {
  try {
    const { model } = await open({ ...account, key: '', fetch: nowhere });
    const { stream } = await model.doStream({
      prompt: [
        { role: 'system', content: 'Say nothing.' },
        { role: 'user', content: [{ type: 'text', text: 'Hello.' }] },
      ],
    });
    for await (const _ of stream);
  } catch {
    // The SDK has compiled its schemas even if it rejects the empty message.
  }
}
