import { silentLog, type Log } from '../../shared/log.ts';
import type { SttVendorName, VendorSettings } from '../../vendors/catalogue.ts';
import type { SttProvider } from '../ports/recogniser.ts';
import type { VendorFault } from '../wire/fault.ts';
import type { VendorReach } from '../wire/reach.ts';
import { createSocketStt, type SocketLimits } from '../stt/socket-stt.ts';
import { checkBySpeech, type HeardCheck } from '../stt/check-speech.ts';
import { protocolOf } from './protocols.ts';

/** One recogniser with its settings, as plain data. */
export interface RecogniserChoice {
  readonly name: SttVendorName;
  readonly settings: VendorSettings;
}

export function createRecogniser(
  { name, settings }: RecogniserChoice,
  limits: SocketLimits = {},
  log: Log = silentLog,
): SttProvider {
  const protocol = protocolOf(name, 'stt');
  return 'dialect' in protocol
    ? createSocketStt(protocol.dialect(settings), settings, limits)
    : protocol.open(settings, limits, log);
}

/**
 * Speaks to a recogniser as a call does. Resolves with its words and the time until they came, or the fault. `reach`: the
 * address rules. `speech`: another sentence at 8 kHz, for tests.
 */
export function tryRecogniser(
  choice: RecogniserChoice,
  reach?: VendorReach,
  speech?: Int16Array,
): Promise<HeardCheck | VendorFault> {
  const protocol = protocolOf(choice.name, 'stt');
  const limits = reach === undefined ? {} : { reach };
  if ('dialect' in protocol) return checkBySpeech(createRecogniser(choice, limits), speech);
  return protocol.check(choice.settings, limits, speech);
}
