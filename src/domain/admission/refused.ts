import { errors } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import type { Judgement } from './gate.ts';

/** The API's answer to a refusal of the gate: 402 without money, 429 for what counts. */
export function refusedError(reason: Extract<Judgement, { readonly admitted: false }>['reason']): ApiError {
  switch (reason) {
    case 'gone':
      return errors.invalidCredentials();
    case 'lines':
      return errors.linesBusy();
    case 'balance':
      return errors.insufficientBalance();
    default:
      return errors.capReached(reason);
  }
}
