import type { Answer } from '../../api/client.ts';

export type Base = Answer<'getKnowledgeBase'>;
