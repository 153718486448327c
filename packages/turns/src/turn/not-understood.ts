/** Stands for speech of the caller that was heard but not recognised, in transcripts and in what a model reads. */
export const NOT_UNDERSTOOD = '[not understood]';
