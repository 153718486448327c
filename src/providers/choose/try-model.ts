import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { ModelAccount } from '../../vendors/catalogue.ts';
import type { BrainContext } from '../ports/model.ts';
import { vendorFault } from '../wire/fault.ts';
import { openModel } from './models.ts';

/** A server on this machine may load its model first. */
const LIMIT_MS = 20_000;

const CONTEXT: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: '',
  instructions: 'This is a test of the connection. Answer with the word yes.',
  sections: [],
  introMessage: '',
  agentName: '',
  variables: {},
  understandsSpeech: true,
  tools: [],
  callDirection: 'outbound',
};

/** Requests a reply as a call does. Resolves with the time until its first word in ms, or the fault. */
export function tryModel(
  account: ModelAccount & { readonly fetch?: typeof globalThis.fetch },
): Promise<number | VendorFault> {
  const session = openModel({ ...account, firstTokenMs: LIMIT_MS }).open(CONTEXT);
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const history = [{ role: 'caller', text: 'Are you there?', by: 'speech' }] as const;
    session.reply({ history, memory: null, signal: AbortSignal.timeout(2 * LIMIT_MS) }, (event) => {
      if (event.type !== 'failed') resolve(Math.round(performance.now() - startedAt));
      else resolve(event.fault ?? vendorFault(account.vendor, 'lost', event.message));
      session.close();
    });
  });
}
