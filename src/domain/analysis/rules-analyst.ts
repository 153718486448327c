import type { Analyst, LanguageSense } from './analysis.ts';
import { clientByRules } from './client-by-rules.ts';
import { findByRules } from './platform-by-rules.ts';

/** The analyst that needs no model. */
export const rulesAnalyst = (sense: LanguageSense): Analyst => ({
  name: 'offline-rules',
  analyse: (input) =>
    Promise.resolve({ findings: findByRules(input, sense), client: clientByRules(input, sense) }),
});
