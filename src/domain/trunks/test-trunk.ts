/** The built-in test carrier, which every installation has (open-points, The built-in test carrier). */
export const TEST_TRUNK = 'test';
