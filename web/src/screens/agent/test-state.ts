import { createContext } from 'react';
import type { Answer } from '../../api/client.ts';

/** Test values of the variables by name. */
export type Values = Readonly<Record<string, string>>;

type Step = Answer<'testAgent'>['turns'][number]['flow_steps'][number];
/** A move of a conversation through the flow. */
export type TestMove = Pick<Step, 'from' | 'to' | 'by'>;

/** The moves of the conversation beside the editor, which the flow shows; null: there is none. */
export const TestMoves = createContext<readonly TestMove[] | null>(null);
