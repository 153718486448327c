import type { S2sVendorName, VendorSettings } from '../../vendors/catalogue.ts';
import type { BrainContext } from '../ports/model.ts';
import { protocolOf } from './protocols.ts';
import type { VendorFault } from '../wire/fault.ts';
import { S2sConnection, type S2sLimits } from '../s2s/connection.ts';
import type { S2sVendor } from '../s2s/dialect.ts';

/** One vendor with its settings, as plain data. */
export interface S2sChoice {
  readonly name: S2sVendorName;
  readonly settings: VendorSettings;
}

export const openS2sVendor = ({ name, settings }: S2sChoice): S2sVendor => protocolOf(name, 's2s')(settings);

const TRY_MS = 5_000;
const NOBODY: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: '',
  instructions: '',
  sections: [],
  introMessage: '',
  agentName: '',
  variables: {},
  understandsSpeech: true,
  tools: [],
  callDirection: 'outbound',
};

/** Connects as a call does. Resolves with the time until audio could be sent, or the fault. */
export function tryS2s(choice: S2sChoice, reach?: S2sLimits['reach']): Promise<number | VendorFault> {
  const startedAt = performance.now();
  const phone = { language: 'en-US', sampleRate: 8000 } as const;
  const conversation = {
    context: NOBODY,
    hearing: { ...phone, secondaryLanguage: null, vocab: [] },
    voice: { ...phone, voiceKey: '', speed: 1 },
  };
  return new Promise((resolve) => {
    const connection = new S2sConnection(
      openS2sVendor(choice),
      conversation,
      choice.settings,
      { connectMs: TRY_MS, greetingMs: TRY_MS, ...(reach === undefined ? {} : { reach }) },
      {
        onEvent(event) {
          if (event.type !== 'ready') return;
          connection.close();
          resolve(Math.round(performance.now() - startedAt));
        },
        onFault: resolve,
      },
    );
  });
}
