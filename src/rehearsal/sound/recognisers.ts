/**
 * Who hears the callers: the recogniser of expected phrases, the models for every word that are installed, or a recogniser that
 * is given the words and takes from the sound when they come.
 */
export const RECOGNISERS = ['phrases', 'words', 'given'] as const;
export type RecogniserName = (typeof RECOGNISERS)[number];
