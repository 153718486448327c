import { findVariables } from '../../../src/shared/variables.ts';

/** The variables that texts use, each once, in order. */
export const variablesIn = (texts: readonly string[]): readonly string[] => findVariables(texts.join('\n'));

/** The summary of the last call with the same person, which the service fills in. */
export const PREVIOUS_SUMMARY = 'previous_call_summary';

/** Every outbound assistant has these. */
export const CALL_VARIABLES: readonly string[] = ['callee_name', 'mobile_number'];
