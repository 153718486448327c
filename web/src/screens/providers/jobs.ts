import type { ProviderKind } from '../../../../src/vendors/catalogue.ts';

/** What a vendor does in a call, as a person would say it. */
export const JOBS: Readonly<Record<ProviderKind, string>> = { stt: 'Hears', llm: 'Thinks', tts: 'Speaks' };
