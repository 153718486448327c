import { AGENTS } from './agents.ts';
import { CALL_CONFIG } from './call-config.ts';
import { CALL_RECORDS } from './call-records.ts';
import { CALLS } from './calls.ts';
import { CAMPAIGN_ENDPOINTS } from './campaigns.ts';
import { ENDPOINTS } from './endpoints.ts';
import { RECORDS } from './records.ts';
import { RULES } from './rules.ts';
import { SERVICE } from './service.ts';
import type { Statement } from './statement.ts';

/** The interface document, statement by statement: each has a proof of its own or names the test that proves it. */
export const STATEMENTS: readonly Statement[] = [
  ...SERVICE,
  ...AGENTS,
  ...CALL_CONFIG,
  ...RECORDS,
  ...CALL_RECORDS,
  ...ENDPOINTS,
  ...CALLS,
  ...CAMPAIGN_ENDPOINTS,
  ...RULES,
];

export const keyOf = ({ section, sentence }: Statement): string => `${section}: ${sentence}`;
