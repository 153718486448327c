import { maskHeaders } from '../../domain/agents/masked-headers.ts';
import type { Delivery, DeliveryDetails } from '../../domain/webhooks/delivery-log.ts';
import type { Failures, Outage } from '../../domain/webhooks/failures.ts';
import type { SigningSecret } from '../../domain/webhooks/signing-secrets.ts';
import { errors } from '../../errors.ts';
import { iso, isoOrNull } from '../common/values.ts';

export const toDelivery = (delivery: Delivery) => ({
  delivery_id: delivery.id,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  call_id: delivery.callId,
  callback_url: delivery.url,
  method_type: delivery.method,
  state: delivery.state,
  attempt_count: delivery.attempts.length,
  last_status: delivery.attempts.at(-1)?.status ?? null,
  last_error: delivery.attempts.at(-1)?.error ?? null,
  next_attempt_at: isoOrNull(delivery.nextAttemptAt),
  resend_count: delivery.resends,
  is_test: delivery.isTest,
  created_at: iso(delivery.createdAt),
  finished_at: isoOrNull(delivery.finishedAt),
});

export const toFailures = ({ failures, receivers }: Failures) => ({
  failures: failures.map((failure) => ({ ...toDelivery(failure), kept: failure.isKept })),
  receivers: receivers.map(toReceiver),
});

export const toReceiver = (receiver: Outage) => ({
  receiver_id: receiver.id,
  callback_url: receiver.url,
  method_type: receiver.method,
  recovery: receiver.recovers ? ('automatic' as const) : ('manual' as const),
  failing_since: iso(new Date(receiver.since)),
  last_failed_at: iso(new Date(receiver.lastFailedAt)),
  disabled_at: receiver.disabledAt === null ? null : iso(new Date(receiver.disabledAt)),
  kept_count: receiver.kept,
  dropped_count: receiver.dropped,
  next_probe_at: receiver.probeAt === null || receiver.kept === 0 ? null : iso(new Date(receiver.probeAt)),
});

export const toDeliveryDetails = ({ delivery, headers, body }: DeliveryDetails) => ({
  ...toDelivery(delivery),
  request: { method: delivery.method, url: delivery.url, headers: maskHeaders(headers), body },
  attempts: delivery.attempts.map((attempt) => ({
    attempt: attempt.attempt,
    at: attempt.at,
    duration_ms: attempt.durationMs,
    status: attempt.status,
    body: attempt.body,
    error: attempt.error,
    detail: attempt.detail,
  })),
});

/** Throws 500 if the current secret cannot be decrypted. */
export function toSigningSecret(secrets: readonly SigningSecret[]) {
  const current = secrets.find(({ retiresAt }) => retiresAt === null);
  if (current === undefined) throw errors.secretUnreadable();
  return {
    secret: current.secret,
    created_at: iso(current.createdAt),
    retiring: secrets.flatMap(({ createdAt, retiresAt }) =>
      retiresAt === null ? [] : [{ created_at: iso(createdAt), retires_at: iso(retiresAt) }],
    ),
  };
}
