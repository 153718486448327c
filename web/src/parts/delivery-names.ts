import { formatCode } from '../ui/format.tsx';
import { t } from '../words/words.ts';

export const DELIVERY_STATES: Readonly<Record<string, string>> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** Why a receiver gave no answer. */
export const DELIVERY_ERRORS: Readonly<Record<string, string>> = {
  dns: 'Host name not found',
  refused: 'Connection refused',
  tls: 'No secure connection',
  timeout: 'No answer in time',
  network: 'Connection lost',
  blocked: 'Address not allowed',
  invalid_url: 'Not a web address',
  invalid_request: 'Not a request that can be sent',
  too_large: 'Event too large',
  broken_off: 'Cut: the service failed',
  interrupted: 'Cut: the service failed',
  receiver_disabled: 'Receiver turned off',
};

export const deliveryState = (state: string): string => t(DELIVERY_STATES[state] ?? formatCode(state));
export const deliveryError = (error: string | null): string =>
  t(DELIVERY_ERRORS[error ?? ''] ?? formatCode(error));
