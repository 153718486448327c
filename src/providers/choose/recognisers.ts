import { silentLog, type Log } from '../../shared/log.ts';
import type { SttVendorName, VendorSettings } from '../../vendors/catalogue.ts';
import type { SttProvider } from '../ports/recogniser.ts';
import type { VendorFault } from '../wire/fault.ts';
import type { VendorReach } from '../wire/reach.ts';
import { createSocketStt, type SocketLimits } from '../stt/socket-stt.ts';
import { checkDialect } from '../stt/check-dialect.ts';
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

/** Tries a recogniser as a call would. Resolves with the time until it answers in ms, or the fault. `reach`: the address rules. */
export function tryRecogniser(
  { name, settings }: RecogniserChoice,
  reach?: VendorReach,
): Promise<number | VendorFault> {
  const protocol = protocolOf(name, 'stt');
  return 'dialect' in protocol
    ? checkDialect(protocol.dialect(settings), settings.apiKey, reach)
    : protocol.check(settings, reach);
}
