import type { Answer } from '../api/client.ts';
import { t } from '../words/words.ts';

type Reason = Answer<'getCampaign'>['campaign']['reason'];

/** Why a campaign is in its state, by the code of the service. */
export const REASONS: Readonly<Record<NonNullable<Reason>['code'], string>> = {
  by_request: 'A person paused it.',
  circuit_breaker: 'Paused: {failed} of the last {attempts} calls failed at the carrier or in the service.',
  balance: 'The credits do not cover another call. The campaign goes on once they do.',
  no_whatsapp_number: 'Paused: none of its WhatsApp numbers belongs to the assistant any more.',
  template_refused: 'Paused: WhatsApp refused the message template with error {error}.',
  terminated: 'A person ended it.',
  end_time_passed: 'Its end time has passed.',
};

/** Why a campaign is in its state, in the language of the reader; the sentence of the service where it has no code. */
export const campaignReason = ({
  reason,
  message,
}: {
  reason: Reason;
  message: string | null;
}): string | null => (reason === null ? message : t(REASONS[reason.code], reason.values));
