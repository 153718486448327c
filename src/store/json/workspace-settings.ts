import type { Language } from '@callwright/language';
import { wireDocument, type Wire } from '../../shared/wire-names.ts';
import type { JsonObject } from '../schema.ts';

/** What a workspace's settings declare, under the names of the code; undefined: not declared. */
export interface DeclaredLimits {
  readonly allowedDestinations: readonly string[] | undefined;
  readonly deniedDestinations: readonly string[] | undefined;
  readonly destinationCalls: Readonly<Record<string, number>> | undefined;
  readonly calleeFrequency: { readonly attempts: number; readonly hours: number } | undefined;
  readonly numberRest:
    | false
    | { readonly attempts?: number; readonly share?: number; readonly minutes?: number }
    | undefined;
  readonly transferHosts: readonly string[] | undefined;
  readonly callsPerMinute: number | undefined;
  readonly creditsPerDay: number | undefined;
  readonly strangerCallsPerMinute: number | undefined;
  readonly strangerCreditsPerDay: number | undefined;
  readonly modelTurnsPerDay: number | undefined;
}

/** The quotas of storage that a workspace's settings declare, in MB; undefined: not declared. */
export interface DeclaredQuotas {
  readonly recordings: number | undefined;
  readonly callRecords: number | undefined;
  readonly chats: number | undefined;
  readonly tests: number | undefined;
}

/** The `limits` of the settings, in the format of the provision file. */
interface StoredLimits {
  allowed_destinations?: string[];
  denied_destinations?: string[];
  destination_calls?: Record<string, number>;
  callee_frequency?: { attempts: number; hours: number };
  number_rest?: false | { attempts?: number; share?: number; minutes?: number };
  transfer_hosts?: string[];
  calls_per_minute?: number;
  credits_per_day?: number;
  stranger_calls_per_minute?: number;
  stranger_credits_per_day?: number;
  model_turns_per_day?: number;
  recordings_mb?: number;
  call_records_mb?: number;
  chats_mb?: number;
  tests_mb?: number;
}

/** The limits that the settings declare; they were validated when they were stored. */
export function declaredLimits(settings: JsonObject): DeclaredLimits {
  const limits = (settings['limits'] ?? {}) as StoredLimits;
  return {
    allowedDestinations: limits.allowed_destinations,
    deniedDestinations: limits.denied_destinations,
    destinationCalls: limits.destination_calls,
    calleeFrequency: limits.callee_frequency,
    numberRest: limits.number_rest,
    transferHosts: limits.transfer_hosts,
    callsPerMinute: limits.calls_per_minute,
    creditsPerDay: limits.credits_per_day,
    strangerCallsPerMinute: limits.stranger_calls_per_minute,
    strangerCreditsPerDay: limits.stranger_credits_per_day,
    modelTurnsPerDay: limits.model_turns_per_day,
  };
}

/** The quotas among the limits. */
export function declaredQuotas(settings: JsonObject): DeclaredQuotas {
  const limits = (settings['limits'] ?? {}) as StoredLimits;
  return {
    recordings: limits.recordings_mb,
    callRecords: limits.call_records_mb,
    chats: limits.chats_mb,
    tests: limits.tests_mb,
  };
}

const EVERY_CALL = 100;

/** The settings of a workspace besides its limits, as they are stored. Read at every claim, so nothing is copied. */
export const declaredSettings = (settings: JsonObject) => ({
  allowPremium: settings['allow_premium_numbers'],
  largeCampaigns: settings['large_campaigns'],
  strictVariables: settings['strict_variables'] === true,
  rehearsesDrafts: settings['rehearses_drafts'] === true,
  checkedCallsPercent: (settings['checked_calls_percent'] ?? EVERY_CALL) as number,
  announcesPeople: settings['announces_people'] === true,
  noticeAddresses: (settings['notice_addresses'] ?? []) as readonly string[],
  joiningTexts: (settings['joining_texts'] ?? []) as readonly JoiningText[],
  circuitBreaker: settings['circuit_breaker'] as Wire<BreakerSettings> | undefined,
  isClosed: settings['closed_destinations'] === true,
  homeCountries: (settings['home_countries'] ?? []) as readonly string[],
  timezone: settings['timezone'] as string | undefined,
  country: settings['country'] as string | undefined,
  openDestinations: (settings['open_destinations'] ?? []) as readonly string[] | 'all',
  outboundPaused: settings['outbound_paused'] as OutboundPause | undefined,
  /** When an owner last ended such a pause: ISO 8601. */
  outboundLiftedAt: settings['outbound_lifted_at'] as string | undefined,
});

/** What the agent says in a language before a person joins or listens. */
export interface JoiningText {
  readonly language: Language;
  readonly text: string;
}

/** Why outbound calls of a workspace are paused, and since when (ISO 8601). */
export interface OutboundPause {
  readonly at: string;
  readonly reason: 'attempts' | 'spend';
}
export const pauseSetting = wireDocument<{ readonly outboundPaused: OutboundPause }>({
  outboundPaused: true,
});

/** The destinations of a workspace, as they are written. */
export const destinationSettings = wireDocument<{
  readonly closedDestinations?: boolean;
  /** The countries of the numbers of the workspace and its children on carriers. */
  readonly homeCountries?: readonly string[];
}>({ closedDestinations: true, homeCountries: true });

/** The rules of a circuit breaker as a request, the settings and a campaign have them; absent rules are inherited. */
export interface BreakerSettings {
  failedShare?: number;
  windowCalls?: number;
  minimumCalls?: number;
}
export const breakerDocument = wireDocument<BreakerSettings>({
  failedShare: true,
  windowCalls: true,
  minimumCalls: true,
});

/** What the owner of a workspace sets for all of its agents; an absent setting stays. */
export interface OwnSettings {
  readonly strictVariables?: boolean;
  readonly rehearsesDrafts?: boolean;
  readonly checkedCallsPercent?: number;
  readonly announcesPeople?: boolean;
  readonly joiningTexts?: readonly JoiningText[];
  /** Where notices are mailed. */
  readonly noticeAddresses?: readonly string[];
  readonly openDestinations?: readonly string[] | 'all';
  /** By whose days the workspace counts. */
  readonly timezone?: string;
  /** Of numbers that are typed without a code. */
  readonly country?: string;
  /** Lifts the anomaly stop. */
  readonly outboundPaused?: null;
}
export const ownSettings = wireDocument<OwnSettings & { readonly outboundLiftedAt?: string }>({
  strictVariables: true,
  rehearsesDrafts: true,
  checkedCallsPercent: true,
  announcesPeople: true,
  joiningTexts: true,
  noticeAddresses: true,
  openDestinations: true,
  outboundPaused: true,
  outboundLiftedAt: true,
});
