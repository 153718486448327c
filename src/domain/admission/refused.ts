import { errors } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import type { Judgement } from './gate.ts';

/** The API's answer to a refusal of the gate: 402 without money, 429 for what counts. */
export function refusedError(reason: Extract<Judgement, { readonly admitted: false }>['reason']): ApiError {
  if (reason === 'gone') return errors.invalidCredentials();
  if (reason === 'lines') return errors.linesBusy();
  if (reason === 'balance') return errors.insufficientBalance();
  return errors.capReached(reason);
}
