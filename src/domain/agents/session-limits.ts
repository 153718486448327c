import type { VersionConfig } from '../../store/json/agent-version.ts';

/** How long a chat stays open, in minutes (open-points, Chats). */
export interface SessionMinutes {
  readonly idleTimeoutMinutes: number;
  readonly maxDurationMinutes: number;
}
export const DEFAULT_SESSION: SessionMinutes = { idleTimeoutMinutes: 30, maxDurationMinutes: 1440 };
export const MOST_MINUTES = 1440;

export const sessionOf = (config: Pick<VersionConfig, 'chatSettings'>): SessionMinutes =>
  config.chatSettings?.whatsappSession ?? DEFAULT_SESSION;

const MINUTE_MS = 60_000;

/** When a chat ends after activity at `now`: at the idle timeout or its maximum duration, whichever is sooner. */
export const endsAt = (session: SessionMinutes, createdAt: Date, now: number): Date =>
  new Date(
    Math.min(
      now + session.idleTimeoutMinutes * MINUTE_MS,
      createdAt.getTime() + session.maxDurationMinutes * MINUTE_MS,
    ),
  );

/** Why a chat whose time is over has ended. */
export const timeoutReason = (session: SessionMinutes, createdAt: Date, now: number): string =>
  now >= createdAt.getTime() + session.maxDurationMinutes * MINUTE_MS ? 'MAX_DURATION' : 'IDLE_TIMEOUT';
