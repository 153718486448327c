import type { LlmVendorName, ModelAccount } from '../../vendors/catalogue.ts';
import type { OpenVendorModel } from './vendor-model.ts';

const rehearsed = new Map<LlmVendorName, Promise<void>>();

/** A stream with one empty message, with which an SDK compiles its schemas. */
const nowhere: typeof globalThis.fetch = () =>
  Promise.resolve(new Response('data: {}\n\n', { headers: { 'content-type': 'text/event-stream' } }));

/**
 * Sends a request through a vendor's SDK that reaches nobody. The first request of a thread takes 100 to 250 ms of the
 * processor, which a caller would wait for. Once a vendor; never rejects.
 */
export function rehearse(account: ModelAccount, open: OpenVendorModel): Promise<void> {
  const known = rehearsed.get(account.vendor) ?? run(account, open);
  rehearsed.set(account.vendor, known);
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
    // An SDK that refuses the empty message has compiled its schemas, too.
  }
}
