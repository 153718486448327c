import { createSeal } from '../../../src/shared/seal.ts';

export const TEST_SEAL = createSeal('a key for tests, of no use elsewhere');
