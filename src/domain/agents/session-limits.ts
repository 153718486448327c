import type { VersionConfig } from '../../store/json/agent-version.ts';

/** How long a chat stays open, in minutes (open-points, Chats). */
export interface SessionMinutes {
  readonly idle_timeout_minutes: number;
  readonly max_duration_minutes: number;
}
export const DEFAULT_SESSION: SessionMinutes = { idle_timeout_minutes: 30, max_duration_minutes: 1440 };
export const MOST_MINUTES = 1440;

export const sessionOf = (config: Pick<VersionConfig, 'chat_settings'>): SessionMinutes =>
  config.chat_settings?.whatsapp_session ?? DEFAULT_SESSION;

const MINUTE_MS = 60_000;

/** When a chat ends after activity at `now`: at the idle timeout or its maximum duration, whichever is sooner. */
export const endsAt = (session: SessionMinutes, createdAt: Date, now: number): Date =>
  new Date(
    Math.min(
      now + session.idle_timeout_minutes * MINUTE_MS,
      createdAt.getTime() + session.max_duration_minutes * MINUTE_MS,
    ),
  );

/** Why a chat whose time is over has ended. */
export const timeoutReason = (session: SessionMinutes, createdAt: Date, now: number): string =>
  now >= createdAt.getTime() + session.max_duration_minutes * MINUTE_MS ? 'MAX_DURATION' : 'IDLE_TIMEOUT';
