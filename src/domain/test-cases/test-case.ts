/** `error`: the case could not be played to its end, so nothing is known about the agent. */
export type CaseResult = 'passed' | 'failed' | 'not_judged' | 'error';
